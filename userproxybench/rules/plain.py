"""Words so plain that saying them gives nothing away, and words for devices."""

from __future__ import annotations

from userproxybench.rules.text import stem

PLAIN = frozenset(
    stem(word)
    for word in """
    able absolutely actually afraid after afternoon ago agree ahead allow already alright
    altogether always anything apiece appear appreciate appreciated assist available aware
    back bad basically before begin best better bit bother bring bunch came case cause
    certainly chance change check choose clear close come common complete completely concern
    confirm continue correct couple course current currently day deal dear decide definitely
    detail difference different difficult direct each earlier easy eight eighteen eighty
    eleven end enough evening ever everything exact exactly example expect experience
    explain fact fairly far feel fifteen fifty figure final find fine five fix follow forty
    four fourteen full general glad great guess guide half hand handle happen happy hard
    hear help hey hold honestly hope hour hundred idea important indeed information instead
    issue keep kind kindly lately later lead leave left list literally little live long lot
    lots maam madam made main make manage matter maybe mine minute moment morning mostly
    move name near never nice night nine nineteen ninety normal normally nothing notice
    number offer ok once one open option order part pass perfect phone place plan please
    point prefer present pretty problem proceed process provide question quick quite reach
    ready real reason recent recently recommend regular remain remember request resolve
    respond rest result return run safe second seconds seem seems service set seven
    seventeen seventy short show side simply since sir sit situation six sixteen sixty slow
    small solve something soon sorry sort sound special specific stand start state stay step
    stop straight suggest support suppose system talk tell ten thing think thirteen thirty
    thousand three thrice time times today together tomorrow tonight total totally trouble
    turn twelve twenty twice two type understand unfortunately update usual usually wait
    walk want way week welcome well went whole wonder word work worry write wrong year
    yesterday yet yours zero
    """.split()
)
"""Stems."""
DEVICES = frozenset(
    """router modem phone device devices internet wifi wi-fi connection network printer laptop
    computer tv television thermostat camera screen battery box sim app landline tablet console
    troubleshoot troubleshooting signal""".split()
)
"""Words for devices: a task that has one is about a device."""
NO_COUNT = frozenset(
    stem(word)
    for word in """dollar euro pound usd eur cent percent hour minute second day night week month
    year o'clock am pm st nd rd th time one digit more other left remain extra additional least
    most january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday""".split()
)
"""Stems after which a number is a sum, a span of time or a place in an order, and no count."""

"""Words so plain that saying them gives nothing away."""

from __future__ import annotations

from userproxybench.rules.text import stem

PLAIN = frozenset(
    stem(word)
    for word in """
    able actually afraid afternoon agree ahead allow alright anything appear appreciate
    appreciated assist available aware back bad basically begin best better bit bother bring
    bunch case cause chance change check choose clear close come common complete completely
    concern confirm continue correct couple course current currently day deal dear decide
    detail different difficult direct easy end enough evening everything exact exactly
    example expect experience explain fact fairly far feel figure final find fine fix follow
    full general glad great guess guide hand handle happen happy hard hear help hey hold
    honestly hope hour idea important information instead issue keep kind kindly lately lead
    leave left list literally little live long lot maam madam main manage matter maybe
    minute moment morning mostly move name near nice night normal normally nothing notice
    number offer open option order part pass perfect phone place plan please point prefer
    present pretty problem proceed process provide question quick quite reach ready real
    reason recent recently recommend regular remain remember request resolve respond rest
    result return run safe second seconds service set short show side simply sir sit
    situation slow small solve something sorry sort sound special specific stand start state
    stay step stop straight suggest support suppose system talk tell thing think today
    together tomorrow tonight total totally trouble turn type understand update usual
    usually wait walk want way week welcome well whole wonder word work worry write wrong
    year yesterday
    """.split()
)
"""Stems."""

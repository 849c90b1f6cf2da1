"""Agent turn → what the agent does in it: proposes, works, reports, refuses, hands over, closes."""

from __future__ import annotations

import re

from userproxybench.rules.caches import kept
from userproxybench.rules.cues import Cue
from userproxybench.rules.text import any_of, is_negated, sentences

_PROPOSES = Cue(
    any_of("""
    shall i / should i / would you like me to / do you want me to / may i (?:go ahead|proceed)
    proceed / go-? ?ahead / confirm\\w* / is that a yes / do i have your / does that work
    is that (?:ok|okay|all right|alright|correct) / do you (?:agree|accept|approve) / ok to
    (?:need|wait\\w* for|give me) (?:a|one|your) (?:\\w+ )?(?:yes|ok|okay|go-ahead|confirmation)
    okay to / yes/no / reply / want me to / soll ich / let me know (?:which|how you'd|if you'd like)
    """)
    + r"|¿(?:procedo|desea|quiere|le parece|confirma)|\(yes\b",
)
_REPORTS = Cue(
    any_of("""
    (?:has|have|is|are|was|were) (?:now |been |successfully |all )*(?:\\w+ed|done|set|sent|made)
    (?:has|have|is|are|was|were) (?:now |been |successfully |all )*(?:booked|paid|put|on the way)
    i(?:'ve| have) (?:now |just |successfully )*(?:\\w+ed|put|set|sent|made|found|given) / done
    all set / successfully / success / completed / created
    complete / you're welcome / goodbye / have a (?:great|good|nice|wonderful|lovely)
    """),
)
_NO_CHANGE = (
    "verified|located|found|delivered|authenticated|confirmed|delayed|identified|retrieved|flown|"
    "placed|received|made|used"
)
_CARRIED_OUT = Cue(
    any_of(f"""
    (?:has|have) (?:now |already )*been (?:now |successfully )*(?!{_NO_CHANGE})\\w+(?:ed|sent|put)
    (?:i|we)(?:'ve| have) (?:now |just |also )*successfully / successfully (?:\\w+ed|booked|sent)
    all set / is (?:now )?(?:done|complete)
    """)
    + r"|^\W*done\b",
    re.IGNORECASE | re.MULTILINE,
)
_SUCCEEDED = Cue(
    any_of(f"""
    (?:has|have) (?:now |already )*been (?:now |successfully )*(?!{_NO_CHANGE})\\w+(?:ed|sent|put)
    (?:i|we)(?:'ve| have) (?:now |just |also )*successfully / successfully (?:\\w+ed|booked|sent)
    """)
    + r"|\bsuccess:|^\W*done\b",
)
_MORE = Cue(
    any_of("""
    (?:anything|something) else / else (?:i can|can i|today|for you) / feel free
    (?:any|other|further|more) (?:questions?|requests?|help|assistance|actions?|concerns?)
    (?:any|other|further|more) (?:issues?|changes?|needs?|details?)
    (?:if|in case) (?:there's|there is|you need|you have) / you're welcome
    (?:all|everything) (?:for now|for today|you need) / algo más / sonst noch / noch etwas
    have a (?:great|good|nice|wonderful|lovely|safe)
    """),
)
_WORKS = Cue(
    any_of("""
    one moment / just a moment / hold on / please (?:hold|wait) / working on / bear with me
    i'll (?:now|go ahead|proceed|process|submit|file|book|check|look|get|cancel|make)
    i will (?:now|go ahead|proceed|process) / let me (?!know) / give me a (?:moment|minute|second)
    (?:i'm|i am) (?:now |just )?(?:processing|booking|cancel\\w+|checking|submitting|looking)
    (?:i'm|i am) (?:now |just )?(?:putting|ordering|getting|setting|arranging|entering)
    (?:i'm|i am) (?:now |just |already )?(?:releasing|unlocking|resetting|restarting|running)
    (?:i'm|i am) \\w+ing (?:[\\w'-]+ ){1,6}(?:right now|as we speak|at the moment)
    (?:i'm|i am) (?:now |just |already )?(?:transferring|placing|filing|updating|issuing|preparing)
    stay with me / stay on the line / hang on / won't take (?:a|one|two) (?:minute|moment|second)s?
    i'll tell you (?:when|once|as soon as)
    (?:i'm|i am) (?:just |now )?about to / takes? a (?:moment|minute|second)
    function_call
    """),
)
_HANDS_OVER = Cue(
    any_of("""
    transfer(?:red|ring)? (?:you|this|to an?|to another|to our|to human) / being transferred
    transfer (?:the|your) (?:call|case|chat|conversation|request) / transferiert / human agent
    hand(?:ing|ed)? (?:you|this) over / put(?:ting)? you through / pass(?:ing)? you (?:on|to)
    (?:you (?:[\\w',-]+ ){0,5}|to (?:a|our) )(?:specialist|supervisor|colleague)
    verbind\\w* / transfiri\\w* / escalat\\w*
    connect(?:ing|ed)? you / (?:being|now) connected (?:to|with)
    """),
)
HANDOVER_TOOL = re.compile(r"transfer|escalat|hand_?o(?:ff|ver)|human", re.IGNORECASE)
"""Part of the name of a tool that hands the user over."""
_REFUSES = Cue(
    any_of("""
    cannot / can't / can not / unable / not able / not possible / isn't possible / won't be able
    not eligible / not allowed / unfortunately / i'?m afraid / sorry,? but / regret / not permitted
    against (?:our )?policy / no (?:option|way) / leider / lamentablemente / lo siento,? pero
    (?:is|are) (?:not|never|non-?) ?(?:refund\\w*|waived|reimbursed|covered|exchanged|accepted)
    (?:is|are)n't (?:refund\\w*|waived|reimbursed|covered|exchanged|possible|eligible|included)
    (?:that's|that is|it's|it is) (?:our|the|company|house) (?:rule|policy)s?
    """),
)
_OFFERED = Cue(
    any_of("""
    would / could / can / may / might / shall / should / if / whether / want / like / let me know
    """),
)
_CACHED = 512


@kept(_CACHED)
def is_proposal(text: str) -> bool:
    """Whether the agent waits for a yes before it acts."""
    return any(_PROPOSES.found(s.text) for s in sentences(text)[-5:])


@kept(_CACHED)
def reports_done(text: str) -> bool:
    """Whether the agent reports something as done or found."""
    return _REPORTS.found(text)


@kept(_CACHED)
def is_done(text: str) -> bool:
    """Whether the agent reports that a change was carried out."""
    return _CARRIED_OUT.found(text)


@kept(_CACHED)
def has_carried_out(text: str) -> bool:
    """Whether an agent turn says, without a no, that a change went through."""
    return any(
        _SUCCEEDED.found(said.text) and not is_negated(said.text) for said in sentences(text)
    )


@kept(_CACHED)
def is_working(text: str) -> bool:
    """Whether the agent says that it is about to act, or asks to wait."""
    return _WORKS.found(text)


@kept(_CACHED)
def offers_more(text: str) -> bool:
    """Whether the agent asks if there is anything else, or takes leave."""
    return _MORE.found(text)


@kept(_CACHED)
def is_transfer(text: str) -> bool:
    """Whether the agent speaks of handing the user over."""
    return _HANDS_OVER.found(text)


@kept(_CACHED)
def announces_transfer(text: str) -> bool:
    """Whether the agent says that it hands the user over; to offer it is not enough."""
    return is_transfer(text) and any(
        _HANDS_OVER.found(sentence.text)
        and not sentence.is_question
        and not _OFFERED.found(sentence.text)
        for sentence in sentences(text)
    )


@kept(_CACHED)
def is_refusal(text: str) -> bool:
    """Whether the agent says that something is not possible."""
    return _REFUSES.found(text)

"""Domains of conversations whose dump names none."""

from __future__ import annotations

import pytest

from userproxybench.loaders.domains import domain_of_tools, heading_domain


@pytest.mark.parametrize(
    ("policy", "domain"),
    [
        ("# Airline Agent Policy\n\nBe kind.", "airline"),
        ("<policy>\n# Medical Triage Agent Policy", "medical_triage"),
        ("Be kind.", None),
        (None, None),
    ],
)
def test_a_policy_heading_names_its_domain(policy: str | None, domain: str | None) -> None:
    assert heading_domain(policy) == domain


def test_tools_of_no_stock_domain_name_none() -> None:
    assert domain_of_tools(["borrow_kite"]) is None
    assert domain_of_tools(["borrow_kite", "book_reservation"]) == "airline"

"""A small collection of invented films and people, and plans about them, for the tests of the schemes."""

from __future__ import annotations

from hopsplit.decompose import Hop, Kind, Plan
from hopsplit.decompose.plan import refs_in
from hopsplit.retrieval import Passage

FILMS = [
    Passage(
        "gate",
        "The Paper Gate (film)",
        "The Paper Gate is a 1931 drama film directed by Orla Venn and written by Tomas Reed. It stars Ida Moss.",
    ),
    Passage("venn", "Orla Venn", "Orla Venn (3 May 1899 - 7 June 1961) was a film maker from Port Askel."),
    Passage("reed", "Tomas Reed", "Tomas Reed wrote for the stage and the screen. He grew up beside a canal."),
    Passage("moss", "Ida Moss", "Ida Moss (born 1904) acted in silent pictures and taught dancing."),
    Passage(
        "road",
        "The Salt Road",
        "The Salt Road is a 1948 adventure film. It was directed by Emil Korda on a small budget.",
    ),
    Passage("korda", "Emil Korda", "Emil J. Korda, born 12 March 1910, made eleven pictures and a series."),
    Passage(
        "askel",
        "Port Askel",
        "Port Askel is a town on the western coast. Its lighthouse was lit in 1702 by the Harbour Guild.",
    ),
    Passage("guild", "Harbour Guild", "The guild of pilots owned the quays until 1880. Its hall burnt twice."),
    Passage("tide", "Tide tables", "The film of water on the quay is described by a director of works."),
    Passage("olav", "Olav III", "Olav III ruled for nine years. He was the son of Olav II and Queen Runa."),
    Passage("olav2", "Olav II", "Olav II took the crown late. His father, Sigurd the Mild, had refused it."),
    Passage("runa", "Queen Runa", "Queen Runa outlived the king. She founded the abbey at Holm."),
]


def plan(question: str, kind: Kind, *hops: str) -> Plan:
    """Make a plan of hop texts."""
    made = tuple(Hop(n, text, refs_in(text), "test", ()) for n, text in enumerate(hops, 1))
    return Plan(question, kind, made, "test")


BRIDGE = plan(
    "When did the director of film The Paper Gate (Film) die?",
    "bridge",
    "Who is the director of film The Paper Gate (Film)?",
    "When did #1 die?",
)

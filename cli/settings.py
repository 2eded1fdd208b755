"""The settings of the program: their names, kinds and defaults."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainValidator

from ..decompose.plan import InputError
from ..fallback import Budget, ChainSettings, Price, RouterSettings
from ..fallback.endpoint import address, check_key
from ..serving.settings import ServeSettings

_SHOWN = 80  # characters of a wrong value


def _url(text: str) -> str:
    """Return a base URL as it is; InputError where it is none."""
    if text:
        address(text)
    return text


def _key(text: str) -> str:
    """Return an API key as it is; InputError, without telling it, where it is none."""
    check_key(text)
    return text


def _price(value: object) -> Price | None:
    """Return the price that "0.15,0.60" or [0.15, 0.60] says, None where it says none."""
    if value in ("", None):
        return None
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or any(isinstance(part, bool) for part in parts) or len(parts) != len(fields(Price)):
        raise InputError("give two prices, such as 0.15,0.60")
    try:
        return Price(*map(float, parts))
    except (TypeError, ValueError, OverflowError) as error:
        shown = f"{value}"[:_SHOWN]
        raise InputError(f"{shown} is no price; give US dollars a million tokens, such as 0.15,0.60") from error


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Which language model is asked, and where.

    model: its name; `none`: no model; `replay`: what the folder `cache` holds stands in for one. base_url: of any
    OpenAI-compatible endpoint; empty: the service of OpenAI. api_key: where the endpoint wants one. timeout: seconds
    for one request. schema: how replies are held to a schema; see `OpenAIClient`. cache: a folder that keeps replies;
    empty: none is kept. price: of its tokens; None: that of the model in the table `prices`, which only a file can
    have.
    """

    model: str = "none"
    base_url: Annotated[str, AfterValidator(_url)] = ""
    api_key: Annotated[str, AfterValidator(_key)] = field(default="", repr=False)
    timeout: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    schema: Literal["json_schema", "json_object", "none"] = "json_schema"
    cache: str = ""
    price: Annotated[Price | None, PlainValidator(_price)] = None
    prices: dict[str, Annotated[Price, PlainValidator(_price)]] = field(default_factory=dict)

    @property
    def is_named(self) -> bool:
        """Whether there is a model, or a replay of one."""
        return self.model not in ("", "none")

    def of_tokens(self) -> Price | None:
        """Return the price of the model's tokens, None where nobody said it; a replay has that of the one model."""
        replayed = next(iter(self.prices.values())) if self.model == "replay" and len(self.prices) == 1 else None
        return self.price or self.prices.get(self.model) or replayed


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What is searched where no option says it: index, a folder or a demo collection; k: passages of ask and search."""

    index: str = "encyclopedia"
    k: Annotated[int, Field(ge=1)] = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; each field is a table."""

    search: SearchSettings
    llm: LlmSettings
    budget: Budget
    router: RouterSettings
    chain: ChainSettings
    serve: ServeSettings

"""Calls of the public Kimina client, one JSON line per call: python kimina-client.py CLIENT_FOLDER URL KEY."""

import asyncio
import json
import sys

sys.path.insert(0, sys.argv[1])
from kimina_client import AsyncKiminaClient, Infotree, KiminaClient, Snippet, infotree  # noqa: E402

url, key = sys.argv[2:4]
client = KiminaClient(api_url=url, api_key=key, http_timeout=600, n_retries=1)
snippets = [
    Snippet(id="valid", code="theorem t (a b : Nat) : a + b = b + a := by omega"),
    Snippet(id="sorry", code="theorem t : 1 = 2 := by sorry"),
    Snippet(id="lean_error", code="theorem t : 1 = 2 := by rfl"),
    Snippet(id="axiom", code="axiom cheat : 1 = 2\ntheorem t : 1 = 2 := cheat"),
    Snippet(id="server_error", code="import Mathlib\ndef f := 1"),
    Snippet(id="crlf", code="theorem «é ∀» : ∀ x : Nat, x = x :=\r\n  fun _ => rfl\r\n"),
    Snippet(id="empty", code=""),
]
split = "theorem two (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.2\n  · exact h.1"


def say(call, value):
    print(json.dumps({"call": call, "value": value}), flush=True)


def statuses(response):
    return {result.id: result.analyze().status.value for result in response.results}


say("health", client.health())
client.test()
say("test", True)
say("check", statuses(client.check(snippets, debug=True, batch_size=3, show_progress=False)))
for level in Infotree:
    response = client.check(split, infotree=level, show_progress=False).results[0].response
    say(f"infotree {level.value}", len(response["infotree"]) > 0)
    if level == Infotree.original:
        steps = infotree.extract_data(response["infotree"], split)
        say("extract_data", [step["goalsBefore"][0] for step in steps][:1])
endless = "#eval (do while true do pure () : IO Unit)"
say("timeout", list(statuses(client.check(endless, timeout=2, show_progress=False)).values()))
try:
    KiminaClient(api_url=url, api_key="wrong", n_retries=1).api_check(snippets[:1])
    say("wrong key", "accepted")
except RuntimeError:
    say("wrong key", "refused")


async def together():
    other = AsyncKiminaClient(api_url=url, api_key=key)
    response = await other.check(["#check Nat"] * 6, show_progress=False)
    return sorted(statuses(response).values())


say("async check", asyncio.run(together()))

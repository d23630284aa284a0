"""Trains the premise encoder on the folder that `orch premises --export` writes, and measures it on the held-out modules.

Usage: python3 train.py DATA OUT [--epochs 14] [--seed 1]

The encoder is a bag of words: a row of 8 bits per word, summed, and one hidden layer. Goals and premises share the rows and have a
layer each. Theorems of Lean's own library, whose proofs are not at hand, learn from theorems of the same name in the modules below. Training is contrastive: the premises of other goals in the batch, and premises that the model itself confuses with the
right ones, are the negatives; premises that the goal also uses are masked.
"""

import argparse
import gzip
import json
import math
import os
import time
import zlib
from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("out")
parser.add_argument("--epochs", type=int, default=14)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--words", type=int, default=22000)
parser.add_argument("--width", type=int, default=256)
parser.add_argument("--hidden", type=int, default=512)
parser.add_argument("--drop", type=float, default=0.5, help="share of words left out of each bag in training")
parser.add_argument("--hard", type=int, default=8, help="confused premises per goal in a batch")
parser.add_argument("--rate", type=float, default=2e-3)
parser.add_argument("--siblings", type=float, default=0.5, help="what a guessed premise counts beside a named one; 0 leaves them out")
args = parser.parse_args()
torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)
device = "cuda" if torch.cuda.is_available() else "cpu"
started = time.time()


def say(text):
    print(f"{time.time() - started:7.1f} s  {text}", flush=True)


def rows(name):
    plain = os.path.join(args.data, f"{name}.jsonl")
    opened = open(plain) if os.path.exists(plain) else gzip.open(plain + ".gz", "rt")
    with opened:
        return [json.loads(line) for line in opened]


premises = rows("premises")
theorems = rows("theorems")
siblings = rows("siblings")
modules = rows("imports")
say(f"{len(premises)} premises, {len(theorems)} theorems, {len(siblings)} theorems of the library with guesses")

# Which modules a module can see.
names = [module["name"] for module in modules]
place = {name: index for index, name in enumerate(names)}
imports = [[place[one] for one in module["imports"] if one in place] for module in modules]
sees = np.zeros((len(names), len(names)), dtype=bool)
done = [False] * len(names)


def visit(root):
    stack = [(root, iter(imports[root]))]
    done[root] = True
    while stack:
        node, rest = stack[-1]
        child = next(rest, None)
        if child is None:
            stack.pop()
            for one in imports[node]:
                sees[node] |= sees[one]
                sees[node, one] = True
        elif not done[child]:
            done[child] = True
            stack.append((child, iter(imports[child])))


for root in range(len(names)):
    if not done[root]:
        visit(root)

premise_at = {premise["name"]: index for index, premise in enumerate(premises)}
premise_module = np.array([place.get(premise["module"], -1) for premise in premises])
of_library = np.array([module.get("library", False) for module in modules] + [False])[premise_module]
is_theorem = np.array([premise["isTheorem"] for premise in premises])
named = [row for row in theorems if not row["held_out"]]
guessed = [row for row in siblings if not row["held_out"]] if args.siblings > 0 else []
train = named + guessed
held = [row for row in theorems if row["held_out"]]
# weights and options are chosen on one half of the held-out modules and reported on the other
test = sorted(held, key=lambda row: zlib.crc32(row["module"].encode()) % 2)
# of these a theorem sees only what its module imports, and one that the module itself declares is none of its premises
unseen = [row for row in siblings if row["held_out"]]

# The words, most frequent first.
counts = Counter()
for row in train:
    counts.update(row["features"]["main"])
    counts.update(row["features"]["rest"])
for premise in premises:
    counts.update(premise["features"]["main"])
    counts.update(premise["features"]["rest"])
words = [word for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= 6][: args.words]
number = {word: index for index, word in enumerate(words)}
say(f"{len(words)} words of {len(counts)}")


class Bags:
    """Two bags of word numbers per item, as flat arrays on the device."""

    def __init__(self, items):
        self.parts = []
        for part in ("main", "rest"):
            flat, starts = [], [0]
            for item in items:
                flat.extend(number[word] for word in item["features"][part] if word in number)
                starts.append(len(flat))
            self.parts.append((torch.tensor(flat, dtype=torch.int64, device=device), torch.tensor(starts, dtype=torch.int64, device=device)))

    def take(self, picked, drop=0.0):
        taken = []
        for flat, starts in self.parts:
            begins, lengths = starts[picked], starts[picked + 1] - starts[picked]
            offsets = torch.cumsum(lengths, 0) - lengths
            spread = torch.repeat_interleave(begins - offsets, lengths) + torch.arange(int(lengths.sum()), device=device)
            numbers = flat[spread]
            if drop > 0 and len(numbers) > 0:
                kept = torch.rand(len(numbers), device=device) >= drop
                owner = torch.repeat_interleave(torch.arange(len(lengths), device=device), lengths)
                numbers, lengths = numbers[kept], torch.bincount(owner[kept], minlength=len(lengths))
                offsets = torch.cumsum(lengths, 0) - lengths
            taken.append((numbers, offsets, lengths))
        return taken


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = torch.nn.Parameter(torch.randn(len(words), args.width) * 0.1)
        self.share = torch.nn.ParameterDict({side: torch.nn.Parameter(torch.tensor([1.0, 0.5])) for side in ("goal", "premise")})
        self.first = torch.nn.ModuleDict({side: torch.nn.Linear(args.width, args.hidden) for side in ("goal", "premise")})
        self.second = torch.nn.ModuleDict({side: torch.nn.Linear(args.hidden, args.width) for side in ("goal", "premise")})
        for layer in self.second.values():
            torch.nn.init.normal_(layer.weight, std=0.01)
            torch.nn.init.zeros_(layer.bias)

    def forward(self, bags, side):
        total = 0
        for index, (flat, offsets, lengths) in enumerate(bags):
            bag = F.embedding_bag(flat, self.rows, offsets, mode="sum", include_last_offset=False)
            total = total + self.share[side][index] * bag / torch.sqrt(lengths.clamp(min=1).float()).unsqueeze(1)
        vector = total + self.second[side](torch.relu(self.first[side](total)))
        return F.normalize(vector, dim=1) if side == "goal" else vector


goal_bags, test_bags, premise_bags = Bags(train), Bags(test + unseen), Bags(premises)
used = [[premise_at[name] for name in row["used"]] for row in train]
pairs = np.array([(goal, premise) for goal, row in enumerate(used) for premise in row])
# a goal with many premises counts as much as one with a few
weight = torch.tensor([(1 if goal < len(named) else args.siblings) / math.sqrt(len(used[goal])) for goal, _ in pairs], dtype=torch.float32, device=device)
pairs = torch.tensor(pairs, device=device)
widest = 24
uses = torch.full((len(train), widest), -1, dtype=torch.int64)
for goal, row in enumerate(used):
    uses[goal, : min(widest, len(row))] = torch.tensor(row[:widest])
uses = uses.to(device)
theorem_ids = torch.tensor(np.flatnonzero(is_theorem), device=device)
say(f"{len(pairs)} pairs")

model = Encoder().to(device)
logit_scale = torch.nn.Parameter(torch.tensor(2.5, device=device))
optimizer = torch.optim.AdamW([{"params": [model.rows], "weight_decay": 1e-4}, {"params": [p for n, p in model.named_parameters() if n != "rows"] + [logit_scale], "weight_decay": 1e-3}], lr=args.rate)
batch, hard = 4096, args.hard
steps_per_epoch = len(pairs) // batch


def encode_all(bags, count, side, size=16384):
    with torch.no_grad():
        return torch.cat([model(bags.take(torch.arange(at, min(count, at + size), device=device)), side) for at in range(0, count, size)])


def mine():
    """For each goal some premises that the model ranks high and that the goal does not use."""
    everything = encode_all(premise_bags, len(premises), "premise")[theorem_ids]
    goals = encode_all(goal_bags, len(train), "goal")
    found = []
    for at in range(0, len(train), 2048):
        top = (goals[at : at + 2048] @ everything.T).topk(96, dim=1).indices
        ids = theorem_ids[top]
        own = uses[at : at + 2048]
        clash = (ids.unsqueeze(2) == own.unsqueeze(1)).any(2)
        scores = torch.rand(ids.shape, device=device) - clash.float() * 10
        found.append(ids.gather(1, scores.topk(24, dim=1).indices))
    return torch.cat(found)


mined = None
for epoch in range(args.epochs):
    if epoch >= 2:
        mined = mine()
    order = torch.randperm(len(pairs), device=device)
    total = 0.0
    for step in range(steps_per_epoch):
        done = (epoch + step / steps_per_epoch) / args.epochs
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1.0, (step + 1) / 50 if epoch == 0 else 1.0) * (1 - done) + 1e-5
        chosen = order[step * batch : (step + 1) * batch]
        goals, right = pairs[chosen, 0], pairs[chosen, 1]
        candidates = right
        if mined is not None:
            pick = torch.randint(0, mined.shape[1], (batch, hard), device=device)
            candidates = torch.cat([right, mined[goals].gather(1, pick).flatten()])
        else:
            candidates = torch.cat([right, theorem_ids[torch.randint(0, len(theorem_ids), (batch,), device=device)]])
        logits = model(goal_bags.take(goals, args.drop), "goal") @ model(premise_bags.take(candidates, args.drop), "premise").T * logit_scale.exp()
        mask = torch.zeros_like(logits, dtype=torch.bool)
        own = uses[goals]
        for column in range(widest):
            mask |= own[:, column : column + 1] == candidates.unsqueeze(0)
        mask[torch.arange(batch, device=device), torch.arange(batch, device=device)] = False
        losses = F.cross_entropy(logits.masked_fill(mask, -1e9), torch.arange(batch, device=device), reduction="none")
        loss = (losses * weight[chosen]).sum() / weight[chosen].sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 4 == 3:
        say(f"epoch {epoch + 1}: loss {total / max(1, steps_per_epoch):.3f}, scale {logit_scale.exp().item():.1f}")


def to_bytes(tensor):
    """Each row in 8 bits, with a scale of its own."""
    scale = tensor.abs().amax(dim=1).clamp(min=1e-9) / 127
    return torch.round(tensor / scale.unsqueeze(1)).to(torch.int8).cpu().numpy(), scale.float().cpu().numpy()


parts, layout = [], []


def keep(name, array):
    layout.append({"name": name, "kind": str(array.dtype), "shape": list(array.shape), "at": sum(len(part) for part in parts)})
    data = array.tobytes()
    parts.append(data + b"\0" * (-len(data) % 8))


with torch.no_grad():
    state = {"rows": model.rows}
    for side in ("goal", "premise"):
        state[f"{side}.first"] = model.first[side].weight
        state[f"{side}.second"] = model.second[side].weight
    for name, tensor in state.items():
        array, scale = to_bytes(tensor)
        keep(name, array)
        keep(f"{name}.scale", scale)
        tensor.copy_(torch.tensor(array, device=device).float() * torch.tensor(scale, device=device).unsqueeze(1))
    for side in ("goal", "premise"):
        keep(f"{side}.first.bias", model.first[side].bias.float().cpu().numpy())
        keep(f"{side}.second.bias", model.second[side].bias.float().cpu().numpy())
        keep(f"{side}.share", model.share[side].float().cpu().numpy())
os.makedirs(args.out, exist_ok=True)
with open(os.path.join(args.out, "weights.bin"), "wb") as file:
    header = json.dumps({"words": words, "layout": layout}, ensure_ascii=False, separators=(",", ":")).encode()
    file.write(len(header).to_bytes(4, "little") + header)
    file.write(b"\0" * (-(4 + len(header)) % 8))
    file.write(b"".join(parts))
say(f"{os.path.getsize(os.path.join(args.out, 'weights.bin')) / 1e6:.1f} MB")

# How often training proofs use each premise.
popular = np.zeros(len(premises))
for row in used[: len(named)]:
    popular[row] += 1
with open(os.path.join(args.out, "used.tsv"), "w") as file:
    for index in np.argsort(-popular, kind="stable"):
        if popular[index] >= 3 and of_library[index]:
            file.write(f"{premises[index]['name']}\t{int(popular[index])}\n")

# Measured on held-out modules, with the weights as written.
everything = encode_all(premise_bags, len(premises), "premise")
goals = encode_all(test_bags, len(test) + len(unseen), "goal")
theorem_mask = torch.tensor(is_theorem, device=device)
module_of = torch.tensor(premise_module, device=device)
library = torch.tensor(of_library, device=device)
visible = torch.tensor(sees, device=device)
document = [set(premise["features"]["main"]) | set(premise["features"]["rest"]) for premise in premises]
frequency = Counter(word for words_ in document for word in words_)
word_at = {word: index for index, word in enumerate(frequency)}
flat = torch.tensor([word_at[word] for words_ in document for word in words_], device=device)
owner = torch.repeat_interleave(torch.arange(len(document), device=device), torch.tensor([len(words_) for words_ in document], device=device))
idf = torch.tensor([math.log(1 + len(document) / frequency[word]) for word in frequency], dtype=torch.float32, device=device)
norm = torch.zeros(len(document), device=device).index_add_(0, owner, idf[flat])
popularity = torch.tensor(np.log1p(popular), dtype=torch.float32, device=device)


def overlap(row):
    """Shared words by inverse frequency, as a share of all words of both."""
    wanted = torch.zeros(len(word_at), device=device)
    for word in row["features"]["main"] + row["features"]["rest"]:
        if word in word_at:
            wanted[word_at[word]] = 1
    shared = torch.zeros(len(document), device=device).index_add_(0, owner, (wanted * idf)[flat])
    return shared / ((wanted * idf).sum() + norm - shared)


def measure(title, wanted_rows, sees_library):
    """Recall of each way of ranking the premises that a theorem can see; `sees_library`: what it sees of the library counts alone."""
    ways = ["encoder", "encoder+used", "overlap", "fused", "fused+used"]
    found = {way: np.zeros(4) for way in ways}
    count = 0
    for index in rng.permutation(wanted_rows):
        row = (test + unseen)[index]
        module = place[row["module"]]
        below = visible[module][module_of.clamp(min=0)] & (module_of >= 0)
        seen = (library if index < len(test) else library & below) if sees_library else library | below
        allowed = seen & theorem_mask
        wanted = [premise_at[name] for name in row["used"] if bool(allowed[premise_at[name]])]
        if not wanted:
            continue
        scores = {"encoder": everything @ goals[index], "overlap": overlap(row)}
        scores["encoder+used"] = scores["encoder"] + 0.02 * popularity
        fused = torch.zeros(len(premises), device=device)
        for way in ("encoder", "overlap"):
            top = scores[way].masked_fill(~allowed, -1e9).topk(200).indices
            fused[top] += 1 / (20 + torch.arange(200, device=device))
        scores["fused"] = fused
        scores["fused+used"] = fused * (1 + 0.1 * popularity)
        for way, score in scores.items():
            masked = score.masked_fill(~allowed, -1e9)
            ranks = torch.tensor([int((masked > masked[one]).sum()) for one in wanted]).float()
            found[way] += [(ranks < k).float().mean().item() for k in (1, 10, 32)] + [1 / (1 + ranks.min().item())]
        count += 1
        if count >= 1500:
            break
    for way in ways:
        one, ten, thirty, mrr = found[way] / max(1, count)
        say(f"{title}: {way:18s} recall at 1, 10, 32: {one:.3f} {ten:.3f} {thirty:.3f}, MRR {mrr:.3f} ({count} theorems)")


for half, part in enumerate(["validate", "report"]):
    chosen = [index for index, row in enumerate(test) if zlib.crc32(row["module"].encode()) % 2 == half]
    measure(f"{part}, all visible premises", chosen, False)
    measure(f"{part}, premises of Lean's library", chosen, True)
    guesses = [len(test) + index for index, row in enumerate(unseen) if zlib.crc32(row["module"].encode()) % 2 == half]
    measure(f"{part}, theorems of Lean's library and their namesakes", guesses, True)

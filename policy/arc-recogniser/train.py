"""Trains the recogniser of operations on made tasks and writes `weights.bin` and `card.json`.

    node policy/arc-recogniser/make-tasks.ts --count 200000 --seed K --out tasks/K.bin     # for every K
    node policy/arc-recogniser/make-tasks.ts --labels > tasks/labels.json
    python3 policy/arc-recogniser/train.py tasks OUT --epochs 3

The last file of tasks (by name) is not trained on. PyTorch with CUDA; the network is described in card.json and run by
src/arc/search/recogniser/network.ts.
"""
import argparse
import hashlib
import json
import pathlib
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

SIDE, PAIRS, TOKENS, LABEL_SLOTS = 30, 3, 11, 16
CELLS = SIDE * SIDE
RECORD = PAIRS * 2 * CELLS + LABEL_SLOTS * 2
CHANNELS = (64, 96, 128, 128)
KERNELS = (5, 3, 3, 3)
HIDDEN = 768


class Recogniser(nn.Module):
    """Convolutions over a pair, what they see pooled over the grid, then over the pairs."""

    def __init__(self, labels):
        super().__init__()
        inputs = (2 * TOKENS + 1,) + CHANNELS[:-1]
        self.convolutions = nn.ModuleList(
            nn.Conv2d(i, o, k, stride=1 if n == 0 else 2, padding=k // 2, bias=False)
            for n, (i, o, k) in enumerate(zip(inputs, CHANNELS, KERNELS))
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(o) for o in CHANNELS)
        self.of_pair = nn.Linear(2 * sum(CHANNELS), HIDDEN)
        self.of_task = nn.Linear(2 * HIDDEN, HIDDEN)
        self.answer = nn.Linear(HIDDEN, labels)

    def forward(self, grids):
        """grids: tasks × pairs × 2 × 30 × 30 tokens."""
        tasks, pairs = grids.shape[:2]
        flat = grids.view(tasks * pairs, 2, SIDE, SIDE).long()
        one_hot = F.one_hot(flat, TOKENS).permute(0, 1, 4, 2, 3).reshape(-1, 2 * TOKENS, SIDE, SIDE)
        same = (flat[:, :1] == flat[:, 1:]) & (flat[:, :1] < TOKENS - 1)
        x = torch.cat([one_hot, same], 1).to(torch.bfloat16 if torch.is_autocast_enabled() else torch.float32)
        x = x.contiguous(memory_format=torch.channels_last)
        seen = []
        for convolution, norm in zip(self.convolutions, self.norms):
            x = F.relu(norm(convolution(x)))
            seen += [x.mean((2, 3)), x.amax((2, 3))]
        pair = F.relu(self.of_pair(torch.cat(seen, 1))).view(tasks, pairs, HIDDEN)
        return self.answer(F.relu(self.of_task(torch.cat([pair.mean(1), pair.amax(1)], 1))))


def load(file):
    records = np.fromfile(file, np.uint8)
    records = records[: len(records) // RECORD * RECORD].reshape(-1, RECORD)
    grids = torch.from_numpy(records[:, : PAIRS * 2 * CELLS].copy())
    labels = torch.from_numpy(records[:, PAIRS * 2 * CELLS :].copy().view(np.uint16).astype(np.int32))
    return grids, labels


def targets_of(numbers, labels):
    wide = torch.zeros(len(numbers), labels + 1, device=numbers.device)
    wide.scatter_(1, numbers.long().clamp(max=labels), 1.0)
    return wide[:, :labels]


def recoloured(grids):
    """Every task with the colours but black exchanged by chance: their names mean nothing."""
    order = torch.rand(len(grids), 9, device=grids.device).argsort(1) + 1
    table = torch.cat([torch.zeros_like(order[:, :1]), order, torch.full_like(order[:, :1], 10)], 1)
    return table.gather(1, grids.long()).to(torch.uint8)


def ranks(logits, base, targets, labels):
    """Where the right labels stand among all, by what is said of the task and by how frequent they are."""
    wanted = targets.bool()
    place = lambda score: score.argsort(1, descending=True).argsort(1).float()[wanted].mean().item()
    return place(logits), place(base.expand_as(logits))


def quantised(weight):
    """Rows of 8-bit numbers with a scale each."""
    rows = weight.reshape(weight.shape[0], -1)
    scale = rows.abs().amax(1).clamp(min=1e-12) / 127
    return (rows / scale[:, None]).round().to(torch.int8), scale


def export(model, labels, base, out, figures):
    model = model.float().eval()
    layers, blob = [], bytearray()

    def put(name, weight, bias):
        numbers, scale = quantised(weight)
        layers.append({"name": name, "shape": list(weight.shape)})
        blob.extend(scale.cpu().numpy().astype("<f4").tobytes())
        blob.extend(bias.cpu().numpy().astype("<f4").tobytes())
        blob.extend(numbers.cpu().numpy().tobytes())

    with torch.no_grad():
        for n, (convolution, norm) in enumerate(zip(model.convolutions, model.norms)):
            gain = norm.weight / (norm.running_var + norm.eps).sqrt()
            put(f"convolution-{n}", convolution.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain)
        for name in ("of_pair", "of_task", "answer"):
            layer = getattr(model, name)
            put(name, layer.weight, layer.bias)
    (out / "weights.bin").write_bytes(blob)
    card = {
        "kind": "arc-recogniser",
        "version": 1,
        "what": "ranks operations of the ARC rule language, with their arguments, from the pairs of a task",
        "sha256": hashlib.sha256(blob).hexdigest(),
        "parameters": sum(p.numel() for p in model.parameters()),
        "layers": layers,
        "labels": labels,
        "base": [round(x, 3) for x in base.tolist()],
        **figures,
    }
    (out / "card.json").write_text(json.dumps(card, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=1e9, help="ends earlier, with the learning rate at its end")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    labels = json.loads((options.tasks / "labels.json").read_text())
    files = sorted(options.tasks.glob("*.bin"))
    loaded = [load(file) for file in files]
    held_grids, held_numbers = (part[:20000].cuda() for part in loaded.pop())
    grids, numbers = (torch.cat(parts) for parts in zip(*loaded))
    grids, numbers = grids.cuda(), numbers.cuda()
    counts = torch.zeros(len(labels) + 1, device="cuda")
    counts.scatter_add_(0, numbers.long().clamp(max=len(labels)).view(-1), torch.ones(numbers.numel(), device="cuda"))
    rate = ((counts[: len(labels)] + 0.5) / (len(grids) + 1)).clamp(max=0.999)
    base = torch.log(rate / (1 - rate))
    model = Recogniser(len(labels)).cuda().to(memory_format=torch.channels_last)
    with torch.no_grad():
        model.answer.bias.copy_(base)
    print(f"{len(grids)} tasks, {len(labels)} labels, {sum(p.numel() for p in model.parameters())} parameters", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    begin, step, progress = time.time(), 0, 0.0
    per_epoch = len(grids) // options.batch
    while progress < 1:
        order = torch.randperm(len(grids), device="cuda")
        for k in range(per_epoch):
            progress = max(step / (options.epochs * per_epoch), (time.time() - begin) / options.seconds)
            if progress >= 1:
                break
            for group in optimiser.param_groups:
                group["lr"] = 1e-3 * min(1, step / 500) * (1 - progress) ** 0.8 + 1e-6
            rows = order[k * options.batch : (k + 1) * options.batch]
            seen = recoloured(grids[rows]).view(-1, PAIRS, 2, SIDE, SIDE)
            if step % 3 == 0:
                seen = seen[:, :2].contiguous()
            with torch.autocast("cuda", torch.bfloat16):
                logits = model(seen)
            loss = F.binary_cross_entropy_with_logits(logits.float(), targets_of(numbers[rows], len(labels)), reduction="sum")
            loss = loss / options.batch
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            if step % 500 == 0:
                print(f"step {step} loss {loss.item():.4f} {time.time() - begin:.0f} s", flush=True)
            step += 1
    model.eval()
    losses, places, plain = [], [], []
    with torch.no_grad():
        for k in range(0, len(held_grids), 1000):
            seen = held_grids[k : k + 1000].view(-1, PAIRS, 2, SIDE, SIDE)
            logits = model(seen)
            targets = targets_of(held_numbers[k : k + 1000], len(labels))
            losses.append(F.binary_cross_entropy_with_logits(logits, targets, reduction="sum").item() / len(seen))
            known, frequent = ranks(logits, base, targets, labels)
            places.append(known)
            plain.append(frequent)
    figures = {
        "trained_on": len(grids),
        "steps": step,
        "held_out": {
            "tasks": len(held_grids),
            "loss": round(float(np.mean(losses)), 3),
            "mean_place": round(float(np.mean(places)), 1),
            "mean_place_by_frequency": round(float(np.mean(plain)), 1),
        },
    }
    print(json.dumps(figures), flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    export(model, labels, base, options.out, figures)
    with torch.no_grad():
        sample = held_grids[:8].view(-1, PAIRS, 2, SIDE, SIDE)
        json.dump(
            {"grids": sample.cpu().tolist(), "logits": model(sample).cpu().tolist(), "numbers": held_numbers[:8].cpu().tolist()},
            (options.out / "sample.json").open("w"),
        )


main()

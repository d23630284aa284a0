import { readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import type { Settings } from '../config/schema.ts';
import {
  type Formalised,
  type StatementReview,
  reviewComment,
  reviewStatement,
} from '../lean/blueprint/review.ts';
import type { Blueprint, Statement } from '../lean/blueprint/blueprint.ts';
import type { GitHub } from '../io/github.ts';
import type { Shipped } from '../lean/ship/ship.ts';
import { type Lean, openLean } from './lean.ts';
import { escaped } from '../shared/for-people.ts';
import { settingsFrom } from './settings.ts';
import { blueprintOf } from '../lean/blueprint/read.ts';
import { filesOf } from '../lean/goals/sources.ts';
import { goalModelOf } from './engine.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { readLeanSide } from '../lean/blueprint/lean-side.ts';
import { readSource } from '../lean/blueprint/node-source.ts';
import { environmentOfFile } from '../lean/project/environment.ts';
import { PremiseDeclarations } from '../lean/premises/declarations.ts';

/** 0: the model has no doubts about any statement. */
export async function reviewCommand(
  blueprint: Blueprint,
  files: readonly string[],
  { labels, json }: { readonly labels: readonly string[]; readonly json: boolean },
): Promise<ExitCode> {
  const { statements } = blueprint;
  const unknown = labels.find((label) => !statements.some((one) => one.labels.includes(label)));
  if (unknown !== undefined)
    throw new UserError(
      'BLUEPRINT_REVIEW',
      `the blueprint has no node ${unknown}`,
      'orch blueprint status --json lists them.',
    );
  const wanted = statements.filter(
    (one) =>
      one.declarations.length > 0 &&
      (labels.length === 0 || one.labels.some((label) => labels.includes(label))),
  );
  const reviews = await reviewed(settingsFrom(), blueprint, files, wanted);
  if (json) process.stdout.write(`${JSON.stringify(reviews)}\n`);
  else
    for (const { node, verdict, remarks } of reviews)
      process.stdout.write(
        `${escaped`${verdict}  ${node}`}\n${remarks.map((remark) => escaped`    ${remark}\n`).join('')}`,
      );
  if (!json) process.stderr.write('orch: this is the opinion of a language model, not a verification\n');
  if (reviews.some(({ verdict }) => verdict === 'unanswered')) return ExitCode.unknown;
  return reviews.every(({ verdict }) => verdict === 'agrees') ? ExitCode.done : ExitCode.notAll;
}

/**
 * Comments on the pull requests of theorems that a node names. A failing comment is reported and has no other
 * effect.
 */
export async function commentOn(
  settings: Settings,
  github: GitHub,
  shipped: readonly Shipped[],
): Promise<void> {
  const blueprint = blueprintOf('.');
  const requests = shipped.filter(({ url, result }) => url !== null && result !== 'closed');
  if (!blueprint || requests.length === 0) return;
  const nodesOf = (name: string): Statement[] =>
    blueprint.statements.filter(({ declarations }) => declarations.includes(name));
  const files = filesOf(['.']).filter((file) => path.basename(file) !== 'lakefile.lean');
  const wanted = new Set(requests.flatMap(({ name }) => nodesOf(name)));
  const reviews = await reviewed(settings, blueprint, files, [...wanted]);
  for (const { name, branch } of requests) {
    const ids = new Set(nodesOf(name).map(({ id }) => id));
    const about = reviews.filter(({ node, verdict }) => ids.has(node) && verdict !== 'unanswered');
    if (about.length === 0) continue;
    const open = await github.pullRequestsOf(branch);
    const request = open.ok ? open.value.find(({ state }) => state === 'open') : undefined;
    const answer = request ? await github.comment(request.number, reviewComment(about)) : open;
    if (!answer.ok) process.stderr.write(escaped`orch: no comment on ${name}: ${answer.error.message}\n`);
  }
}

/** The configured model's opinion about statements; undeclared ones are left out. */
export async function reviewed(
  settings: Settings,
  blueprint: Blueprint,
  files: readonly string[],
  statements: readonly Statement[],
): Promise<StatementReview[]> {
  const model = goalModelOf(settings);
  if (model?.model.skill !== 'general')
    throw new UserError(
      'no-model',
      'a review needs a language model that follows prompts',
      'Set model, for example ORCH_MODEL=openai:http://127.0.0.1:8000/v1#NAME.',
    );
  await using lean = await openLean(settings, { image: imageOfFiles(files), slots: 1 });
  const reviews: StatementReview[] = [];
  for (const one of await formalised(lean, blueprint, files, statements))
    reviews.push(await reviewStatement(model, one));
  return reviews;
}

async function formalised(
  lean: Lean,
  blueprint: Blueprint,
  files: readonly string[],
  statements: readonly Statement[],
): Promise<Formalised[]> {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const side = await readLeanSide(
    lean,
    [...texts].map(([file, text]) => ({ file, text })),
    [],
  );
  const declared = new PremiseDeclarations([...texts.values()].join('\n'));
  const found: Formalised[] = [];
  for (const { id, declarations, range } of statements) {
    const parts: string[] = [];
    for (const name of declarations) {
      const fact = side.names.get(name);
      if (fact?.kind !== 'declared') continue;
      const text = texts.get(fact.file) ?? '';
      const environment = environmentOfFile(fact.file, text);
      const { hypotheses, target } = await readSource(lean.pool, text, name, fact.isTheorem, { environment });
      const given = hypotheses.map((one) => ` (${one.name} : ${one.type})`).join('');
      parts.push(fact.isTheorem ? `theorem ${name}${given} : ${target}` : (declared.textOf(name) ?? name));
    }
    if (parts.length === 0) continue;
    const statement = parts.join('\n\n');
    const words = (blueprint.files.get(range.file) ?? '').slice(range.start, range.end);
    const used = declared.bodiesUnder(statement.match(/[\p{L}_][\p{L}\p{N}_'.!?]*/gu) ?? []);
    found.push({
      node: id,
      words,
      lean: statement,
      definitions: used.join('\n').slice(0, longestContext) || 'none',
    });
  }
  return found;
}

const longestContext = 20_000;

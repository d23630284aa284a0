import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';

/** Prompts that a client offers its user: how to work with the tools. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'prove_sorries',
    {
      title: 'Prove open goals',
      description:
        'Find the open goals of the project or of one file, prove them, and write only accepted proofs',
      argsSchema: { file_path: z.string().optional() },
    },
    ({ file_path }) =>
      message(
        `Prove the open goals ${file_path === undefined ? 'of this Lean project' : `of ${file_path}`}.
1. lean_goals lists them. Begin with the easiest.
2. For each one: lean_goal shows the goal, lean_hammer_premise suggests lemmas, lean_multi_attempt tries several tactics at once, lean_prove searches (give it 30 CPU-seconds first).
3. lean_submit writes a proof after the checker has judged the whole file. If it answers written: false, read \`why\`.
4. Finish with lean_verify for each theorem. Only the verdict "accepted" counts; "unknown" is not a success. Never weaken a statement, and never add an axiom.`,
      ),
  );
  server.registerPrompt(
    'explain_goal',
    {
      title: 'Why is a goal open?',
      description: 'Explain what was tried on a goal and what to try next',
      argsSchema: { goal: z.string() },
    },
    ({ goal }) =>
      message(
        `Explain why orch has not proved ${goal}. orch_why shows every attempt with Lean's messages. Say what came closest, whether the statement may be false, and which lemma would help. If a lemma would help, state it in Lean and check with lean_run_code that it elaborates.`,
      ),
  );
}

function message(text: string): { messages: { role: 'user'; content: { type: 'text'; text: string } }[] } {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

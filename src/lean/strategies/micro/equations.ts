import { fromIntroduced } from '../../search/finish.ts';
import { provedByEquations } from '../../search/equations/prove-equation.ts';
import type { MicroArm } from './arm.ts';

const heartbeats = 10_000;

/** Equations about a type of which only laws are known, such as groups: completion finds the terms at which laws are needed. */
export const equationsArm: MicroArm = {
  name: 'micro/equations',
  version: '1',
  stage: 0.25,
  budget: { cpu_seconds: 4, heartbeats },
  isFor: ({ descriptions }) =>
    descriptions.some(({ hypotheses }) => hypotheses.some(({ kind }) => kind === 'sort')),
  async search({ workbench, account, facts }, root) {
    return await fromIntroduced({ workbench, account, facts }, root, async (start) => {
      const lemmas = [...new Set([...facts.lemmas, ...facts.allLemmas])];
      const asked = await workbench.equations(start, lemmas, account);
      const proof = await provedByEquations(asked, account);
      const [answer] =
        proof === undefined ? [] : await workbench.run(start, [proof], account, { heartbeats });
      return answer?.kind === 'state' && answer.state.closed ? answer.state : undefined;
    });
  },
};

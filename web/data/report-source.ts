import { reportElementId, type Report } from '../../src/shared/api.ts';
import { queryGoals } from '../../src/shared/goal-query.ts';
import { Refused, type Source } from './source.ts';

/** The report embedded in this page, if any. */
export function embeddedReport(): Report | null {
  const text = document.getElementById(reportElementId)?.textContent;
  return text ? (JSON.parse(text) as Report) : null;
}

export function reportSource(report: Report): Source {
  const { seq } = report.stats;
  const run = report.run.run.run;
  return {
    made: report.made,
    canControl: false,
    stats: async () => report.stats,
    run: async () => report.run,
    runs: async () => report.runs,
    async history(_, at) {
      const moment = report.history.findLast((each) => at === null || each.at <= at) ?? report.history[0];
      if (moment === undefined) throw new Refused('this report has no history');
      return moment;
    },
    marketplace: async () => report.marketplace,
    goals: async (_, query) => ({ seq, run, ...queryGoals(report.goals, query) }),
    async goal(_, goal) {
      const view = Object.hasOwn(report.views, goal) ? report.views[goal] : undefined;
      if (view === undefined) throw new Refused(`this report has no goal ${goal}`);
      return view;
    },
    coverage: async () => report.coverage,
    search: async (_, goal) =>
      (Object.hasOwn(report.searches, goal) ? report.searches[goal] : undefined) ?? { trees: [] },
    compare: async () => {
      throw new Refused('a report contains one run; open the dashboard to compare two');
    },
    control: async () => {
      throw new Refused('a report is read-only');
    },
    promote: async () => {
      throw new Refused('a report is read-only');
    },
  };
}

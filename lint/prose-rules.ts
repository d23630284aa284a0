/** A phrase that readers stumble over, and what to write instead. */
export interface ProseRule {
  readonly pattern: RegExp;
  readonly instead: string;
}

const things =
  'file|line|goal|task|row|command|module|worker|run|proof|attempt|theorem|process|core|claim|second|minute|candidate|edit|seed|step|test|package|project|request|snippet|slot|cell|fact|entry|trace|byte|character|string|feature|index|image|policy|cycle|remark|budget|Lean';

/** Patterns that were found in this project's own texts. Add one whenever a review finds another. */
export const proseRules: readonly ProseRule[] = [
  {
    pattern: /\bwho(?:ever|soever)\b/gi,
    instead: 'name the reader or the program: "anyone who", "the caller", "a worker that"',
  },
  {
    pattern: /\bso (?:many|long)\b(?! (?:that|as))/gi,
    instead: 'a number or a name: "first N goals", "this many days"',
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:(?:one|a|an|most|more|CPU) (?:${things})s?|CPU-s|CPU-seconds) an? (?:${things})\b(?! input)`,
      'gi',
    ),
    instead: '"per": one file per command',
  },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) told\b/gi,
    instead: 'say who reports what: "orch reports", "the run receives"',
  },
  {
    pattern: /\btells? (?:of|what|how|that|it)\b|\btells (?:much|nothing|everything|the story)\b/gi,
    instead: '"says", "shows" or "reports"',
  },
  { pattern: /\bsomebody\b/gi, instead: '"someone", or name the process' },
  { pattern: /\bin vain\b/gi, instead: '"without success"' },
  { pattern: /\b(?:gate|judge|hand)'s (?:own )?words?\b/gi, instead: '"verdict"' },
  {
    pattern: /\bstands? together\b|\bas (?:it|they) stood\b/gi,
    instead: '"its state", "are grouped", "as it was"',
  },
  {
    pattern: /\bgone on with\b|\bended otherwise\b|\bsigns? of life\b|\btaken in\b/gi,
    instead: '"continued", "a different outcome", "not responding", "imported"',
  },
  {
    pattern: /\b(?:check|command|option|setting|server) wants\b/gi,
    instead: '"needs" or "requires"',
  },
  {
    pattern: /\bis believed\b|\bbelieves? (?:it|them) (?:in )?nothing\b|\bbelieved in nothing\b/gi,
    instead: '"is not trusted"',
  },
  { pattern: /\bmended\b|\bmends?\b|\bheal(?:s|ed|ing)?\b/gi, instead: '"fix" or "repair"' },
  { pattern: /\bthe rooms\b/gi, instead: '"module"' },
  { pattern: /\bwires?\b/gi, instead: '"protocol" or "integration"' },
  { pattern: /\bcame of it\b|\bcomes of it\b|\bwhat came of\b/gi, instead: '"outcome" or "result"' },
  {
    pattern: /\bin other clothes\b|\bsays nothing of\b|\bspeaks? of\b/gi,
    instead: 'say it directly: "mentions", "is about"',
  },
  {
    pattern: /\bstands? (?:in|on|beside|there|below|after|before)\b/gi,
    instead: '"is in", "depends on", "is next to"',
  },
  {
    pattern: /\bgoes on (?:from|where|with|as|without)\b|\bgo on (?:from|where|with|as|without)\b/gi,
    instead: '"continues"',
  },
  {
    pattern: /\b(?:by hand on purpose|time was up|in line)\b/gi,
    instead: '"deliberately hand-written", "timed out", "queued"',
  },
  { pattern: /\bthe page(?:'s)? (?:shows?|says|draws|has)\b/gi, instead: '"the dashboard shows"' },
  { pattern: /\b(\d+) CPU-seconds are spent\b/gi, instead: '"CPU limit reached (10 s)"' },
  { pattern: /\b1 (?:attempts|goals|proofs|files|tasks|errors|rows)\b/gi, instead: 'singular after 1' },
  { pattern: /\b\d+\.\d{6,}\b/g, instead: 'round the number' },
  {
    pattern: /\blatest words\b|\bclosed without a proof\b|\bdown to the ground\b|\bits only arm\b/gi,
    instead: '"last message", "not proved", "dependencies", "failed"',
  },
  {
    pattern: /\bways of searching\b|\bscripts that held\b|\bledger knows no\b|\bhow long is long\b/gi,
    instead: '"strategies", "earlier scripts", "no runs yet", "unused for this many days"',
  },
  { pattern: /\b(?:is|are) made of\b|\bis known of\b/gi, instead: '"consists of", "is known about"' },
  { pattern: /\bwhat is there\b|\bthat there are\b(?! no)/gi, instead: 'name the things' },
  {
    pattern:
      /\b(?:attempts|verdicts|goals|states|statements|nodes|questions|requests|frames|seconds|ms) an? (?:second|minute|hour|CPU-second|task|question|goal|cell)\b/gi,
    instead: '"per": attempts per second',
  },
  {
    pattern:
      /\ba net for\b|\bbuys? nothing\b|\bhand to hand\b|\bif need be\b|\bof now\b|\bcan(?:not)? be had\b/gi,
    instead: '"safety limit", "returns nothing", "in turn", "if necessary", "current", "is available"',
  },
  {
    pattern: /\bnobody (?:listens|looks|hears|makes|offers)\b|\bgrows whenever\b|\bworth nothing\b/gi,
    instead: 'name the program or the state: "nothing reads", "unchecked", "increased when", "not trusted"',
  },
  {
    pattern: /\blikeliest\b|\bdearest\b|\bdearer\b/gi,
    instead: '"most likely", "most expensive"',
  },
  {
    pattern: /\brests? on (?:it|its|them|an?|what|something)\b|\bon the same ground\b/gi,
    instead: '"depends on", "with the same dependencies"',
  },
  {
    pattern: /\bany more\b|\bafresh\b|\bmakes? room\b/gi,
    instead: '"no longer", "again", "free some space"',
  },
  {
    pattern: /\bin words\b|\bsays? nothing (?:about|of)\b|\bleads? out of (?:the|its|a)\b/gi,
    instead: '"as text", "is no evidence", "is outside"',
  },
  {
    pattern: /\bnobody (?:reads|reviews|works|waits|needs|knows|asks|uses|claims|holds|else)\b/gi,
    instead: 'name the program or the state: "no process works on it", "unused"',
  },
  {
    pattern:
      /^\s*What (?:an?|its|it|each|all|people|users|runs|goals|searches|models|tactics|work|retrieval) (?:(?! (?:is|are|was|were|has|have) ).)*[.:]\s*$/gim,
    instead: 'a noun: "The inputs of a build", not "What a build needs"',
  },
  {
    pattern: /\b(?:costs|ids?|process|folder|tickets?|transaction) of (?:its|their) own\b/gi,
    instead: '"its own code", "a separate process"',
  },
  {
    pattern: /\bwhat became of\b|\bcomes? out (?:right|otherwise)\b/gi,
    instead: '"outcome" or "is right", "changes"',
  },
];

/** Longer sentences are hard to follow. */
export const maxSentenceWords = 45;

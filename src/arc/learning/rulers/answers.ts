/** Why an answer of a model is a row without a program, beside PARSE and TYPE, which say what is wrong with a program. */
export const answerFaults = ['REFUSED', 'SILENT', 'TOO_LONG', 'UNAVAILABLE'] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** How a call to a model ended: with programs or facts, with other text, or with a fault. */
export const answerEnds = ['ANSWERED', 'PARSE', ...answerFaults] as const;
export type AnswerEnd = (typeof answerEnds)[number];

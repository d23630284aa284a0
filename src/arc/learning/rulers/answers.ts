/** Why a model's answer has no program. PARSE and TYPE are separate: they describe an invalid program. */
export const answerFaults = ['REFUSED', 'SILENT', 'TOO_LONG', 'UNAVAILABLE'] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** How a call to a model ended: with programs or facts, with other text, or with a fault. */
export const answerEnds = ['ANSWERED', 'PARSE', ...answerFaults] as const;
export type AnswerEnd = (typeof answerEnds)[number];

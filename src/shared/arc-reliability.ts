/** How often ARC rows with similar stated probabilities were right, on tasks and styles that the model was not fitted on. */
export const arcReliability = [
  { cases: 5, predicted: 0.008, right: 0 },
  { cases: 1, predicted: 0.21, right: 0 },
  { cases: 2, predicted: 0.368, right: 0.5 },
  { cases: 2, predicted: 0.656, right: 0.5 },
  { cases: 3, predicted: 0.733, right: 0.667 },
  { cases: 2, predicted: 0.826, right: 0.5 },
  { cases: 62, predicted: 0.977, right: 0.984 },
];

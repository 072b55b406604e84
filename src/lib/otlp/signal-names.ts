/** What is reported, by the names of OTLP. */
export const signalNames = ['traces', 'metrics', 'logs'] as const
export type Signal = (typeof signalNames)[number]

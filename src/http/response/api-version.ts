/** The newest first. Each is a date; a path never carries one. */
export const supportedApiVersions = ['2026-04-01'] as const
export const [apiVersion] = supportedApiVersions

/** New variants of pictures a month, wherever they are made. */
export const transformQuota = { name: 'transform', limit: 50_000, window: 'month' } as const

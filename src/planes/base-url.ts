/** The address this service is reached at, without a slash at its end: as configured, else as asked. */
export const baseUrlOf = (request: Request, configured: string | undefined): string =>
  configured?.replace(/(?<!\/)\/+$/u, '') ?? new URL(request.url).origin

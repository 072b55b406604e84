/** A file that cannot be streamed as it is. The message is one sentence for whoever uploaded it. */
export class UnstreamableMediaError extends Error {
  override readonly name = 'UnstreamableMediaError'
}

export function refuse(reason: string): never {
  throw new UnstreamableMediaError(reason)
}

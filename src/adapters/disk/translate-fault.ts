import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

/** What the operating system refused (a full disk, no more open files) as the port's own error. */
export function translateFault(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new StoreUnavailableError('The blob store cannot be written to', {
    store: 'blobs',
    final: false,
    cause: error,
  })
}

export async function translatingFaults<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (error) {
    throw translateFault(error)
  }
}

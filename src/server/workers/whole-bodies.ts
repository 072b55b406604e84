/** Takes responses whole so that they keep their length: Bun sends every stream in chunks. */
export type TakeWhole = (response: Response) => Promise<Response>

interface Options {
  /** Up to this size every body is taken. */
  readonly smallBytes: number
  /** Room for larger ones that clients have not taken yet; what finds none is sent in chunks. */
  readonly roomBytes: number
}

export function createTakeWhole({ smallBytes, roomBytes }: Options): TakeWhole {
  let heldBytes = 0
  // Nothing tells when a response has been sent, but that nobody holds its bytes any more does.
  const held = new FinalizationRegistry<number>((bytes) => void (heldBytes -= bytes))

  async function takeLarge(response: Response, sizeBytes: number): Promise<ArrayBuffer> {
    heldBytes += sizeBytes
    try {
      const bytes = await response.arrayBuffer()
      held.register(bytes, sizeBytes)
      return bytes
    } catch (error) {
      heldBytes -= sizeBytes
      throw error
    }
  }

  return async (response) => {
    const sizeBytes = Number(response.headers.get('content-length') ?? Number.NaN)
    const isLarge = sizeBytes > smallBytes
    const fits = isLarge ? heldBytes + sizeBytes <= roomBytes : sizeBytes <= smallBytes
    if (response.body === null || !fits) return response
    const { status, headers } = response
    const bytes = isLarge ? await takeLarge(response, sizeBytes) : await response.arrayBuffer()
    return new Response(bytes, { status, headers })
  }
}

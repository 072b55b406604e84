/** Takes answers whole so that they keep their length: Bun sends every stream in chunks. */
export type TakeWhole = (answer: Response) => Promise<Response>

interface Options {
  /** Up to this size every body is taken. */
  readonly smallBytes: number
  /** Room for larger ones that clients have not taken yet; what finds none is sent in chunks. */
  readonly roomBytes: number
}

export function createTakeWhole({ smallBytes, roomBytes }: Options): TakeWhole {
  let heldBytes = 0
  // Nothing tells when an answer has been sent, but that nobody holds its bytes any more does.
  const held = new FinalizationRegistry<number>((bytes) => void (heldBytes -= bytes))

  async function takeLarge(answer: Response, sizeBytes: number): Promise<ArrayBuffer> {
    heldBytes += sizeBytes
    try {
      const bytes = await answer.arrayBuffer()
      held.register(bytes, sizeBytes)
      return bytes
    } catch (error) {
      heldBytes -= sizeBytes
      throw error
    }
  }

  return async (answer) => {
    const sizeBytes = Number(answer.headers.get('content-length') ?? Number.NaN)
    const isLarge = sizeBytes > smallBytes
    const fits = isLarge ? heldBytes + sizeBytes <= roomBytes : sizeBytes <= smallBytes
    if (answer.body === null || !fits) return answer
    const { status, headers } = answer
    const bytes = isLarge ? await takeLarge(answer, sizeBytes) : await answer.arrayBuffer()
    return new Response(bytes, { status, headers })
  }
}

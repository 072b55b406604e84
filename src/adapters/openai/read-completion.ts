/** One step of an answer. `text` is empty where the model only thinks. */
export interface CompletionStep {
  readonly text: string
  readonly isThought: boolean
  readonly isLast: boolean
}

/** No line of a sound answer is longer. */
const maxLineLength = 256 * 1024

interface Part {
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
}

interface Choice {
  readonly delta?: Part
  readonly message?: Part
  readonly finish_reason?: unknown
}

/**
 * The steps of a chat completion, streamed (`text/event-stream`) or whole. Throws where it is neither,
 * or ends before the model has said that it is done.
 */
export async function* readCompletion(response: Response): AsyncGenerator<CompletionStep> {
  const isWhole = /^application\/json\b/iu.test(response.headers.get('content-type') ?? '')
  if (isWhole) yield stepOf(await response.text())
  else yield* streamedSteps(response.body ?? new Blob([]).stream())
}

async function* streamedSteps(body: ReadableStream<Uint8Array>): AsyncGenerator<CompletionStep> {
  let isLast = false
  for await (const line of linesOf(body)) {
    if (!line.startsWith('data:')) continue
    const data = line.slice(5).trim()
    if (data === '[DONE]') return
    const step = stepOf(data)
    isLast ||= step.isLast
    // Steps that bring nothing are no sign of life.
    if (step.text !== '' || step.isThought) yield step
  }
  if (!isLast) throw new Error('the endpoint ended in mid-answer')
}

function stepOf(json: string): CompletionStep {
  const { choices, error } = JSON.parse(json) as { choices?: readonly Choice[]; error?: unknown }
  if (error !== undefined || !Array.isArray(choices))
    throw new Error('the endpoint answered something else than a completion')
  const [choice = {}] = choices as readonly (Choice | undefined)[]
  const { content, ...thoughts } = choice.delta ?? choice.message ?? {}
  return {
    text: textOf(content),
    isThought: textOf(thoughts.reasoning_content ?? thoughts.reasoning) !== '',
    isLast: textOf(choice.finish_reason) !== '',
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let waiting = ''
  for await (const chunk of body) {
    waiting += decoder.decode(chunk, { stream: true })
    const lines = waiting.split('\n')
    waiting = lines.pop() ?? ''
    if (waiting.length > maxLineLength) throw new Error('the endpoint sends a line without an end')
    for (const line of lines) yield line.replace(/\r$/u, '')
  }
  if (waiting !== '') yield waiting
}

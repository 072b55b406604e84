/** What runs the model: the native runtime of this machine, or the one in WebAssembly. */
export type EngineName = 'native' | 'web'

/** Model and engine, as kept vectors name them. */
export const spaceByEngine: Readonly<Record<EngineName, string>> = {
  native: 'all-MiniLM-L6-v2-q8 onnxruntime-1.28',
  web: 'all-MiniLM-L6-v2-q8 onnxruntime-web-1.27',
}

export const modelOf = (space: string): string | undefined => space.split(' ')[0]

/** How many numbers stand for a token, and for a text. */
export const dimensions = 384
/** Names and questions are short; what is longer takes long. */
export const maxTokens = 64

/** Evaluates the model on the tokens of a text: `dimensions` numbers for each, one token after another. */
export type Evaluate = (ids: readonly number[]) => Promise<Float32Array>

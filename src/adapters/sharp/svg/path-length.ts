/**
 * About how far the pen moves for path data or a list of points; at least half of the truth for
 * lines. Capital letters give places, small ones distances (SVG 2 §9.3).
 */
export function pathLength(data: string): number {
  let isRelative = false
  let length = 0
  let before: readonly [number, number] = [0, 0]
  for (const [token] of data.matchAll(/[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/gu)) {
    if (/^[a-zA-Z]/u.test(token)) {
      isRelative = token === token.toLowerCase()
      continue
    }
    const number = Number(token)
    length += Math.abs(isRelative ? number : number - before[0])
    before = [before[1], number]
  }
  return length
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Whether JSON text nests deeper than `maxDepth`, without parsing it: a parser may already fail on
 * what is far too deep. Of malformed text the answer means nothing.
 */
export function isDeeperThan(maxDepth: number, json: Uint8Array): boolean {
  let depth = 0
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]
    if (byte === quote) index = endOfString(json, index)
    else if (byte === openBracket || byte === openBrace) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1
  }
  return false
}

/** Where the string that opens at `start` closes. Jumps from quote to quote: strings may be large. */
function endOfString(json: Uint8Array, start: number): number {
  let end = start
  do end = json.indexOf(quote, end + 1)
  while (end !== -1 && isEscaped(json, end))
  return end === -1 ? json.length : end
}

function isEscaped(json: Uint8Array, index: number): boolean {
  let before = index - 1
  while (json[before] === backslash) before -= 1
  return (index - before) % 2 === 0
}

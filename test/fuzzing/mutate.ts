import type { Random } from '../support/random.ts'
import { type Input, inputOf } from './fuzz-target.ts'

interface Material {
  readonly random: Random
  /** Inputs that others are made of. */
  readonly others: readonly Input[]
  readonly words: readonly string[]
}

type Change = (input: Input, material: Material) => Input

/** Few changes lead deeper, many further away. */
const counts = [1, 1, 1, 2, 3, 6] as const
/** Longer ones are cut: what is long takes time, and is tried by tests of its own. */
const maxBytes = 256 * 1024
const maxRepeatedBytes = 4096
const edges = [
  0, 1, 0x7f, 0x80, 0xff, 0x0d, 0x0a, 0x20, 0x22, 0x25, 0x2f, 0x3a, 0x3c, 0x3d,
] as const
const edgeNumbers = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x10_0000] as const
const texts = [
  '0',
  '-1',
  '9007199254740993',
  '1e309',
  '\u0000',
  '\ufeff',
  'é',
  '𝒳',
  '%',
  '%ff',
] as const

const changes: readonly [Change, ...Change[]] = [
  flipBit,
  setByte,
  setNumber,
  cutOut,
  cutOff,
  repeatPart,
  putWord,
  putText,
  putPartOfOther,
]

/** Another input, made of one of those that are there by some changes. */
export function mutated(material: Material): Input {
  const { random, others } = material
  let input = others[random.integer(0, others.length - 1)] ?? new Uint8Array()
  const count = random.pick(counts)
  for (let done = 0; done < count; done += 1) input = random.pick(changes)(input, material)
  return input.slice(0, maxBytes)
}

function flipBit(input: Input, { random }: Material): Input {
  const changed = input.slice()
  const at = placeIn(input, random)
  changed[at] = (changed[at] ?? 0) ^ (1 << random.integer(0, 7))
  return changed
}

function setByte(input: Input, { random }: Material): Input {
  const changed = input.slice()
  changed[placeIn(input, random)] = random.pick(edges)
  return changed
}

/** Formats of bytes have numbers of 32 bits, the highest first. */
function setNumber(input: Input, { random }: Material): Input {
  if (input.length < 4) return input
  const changed = input.slice()
  const number = random.pick([...edgeNumbers, random.integer(0, 300), input.length])
  new DataView(changed.buffer).setUint32(random.integer(0, input.length - 4), number)
  return changed
}

function cutOut(input: Input, { random }: Material): Input {
  const { from, to } = partOf(input, random)
  return joined(input.subarray(0, from), input.subarray(to))
}

function cutOff(input: Input, { random }: Material): Input {
  return input.slice(0, placeIn(input, random))
}

function repeatPart(input: Input, { random }: Material): Input {
  const { from, to } = partOf(input, random)
  const part = input.subarray(from, Math.min(to, from + maxRepeatedBytes))
  const times = random.pick([1, 2, 20, Math.floor(maxRepeatedBytes / Math.max(1, part.length))])
  return joined(input.subarray(0, to), ...Array<Input>(times).fill(part), input.subarray(to))
}

function putWord(input: Input, { random, words }: Material): Input {
  return put(input, inputOf(words[random.integer(0, words.length - 1)] ?? ''), random)
}

function putText(input: Input, { random }: Material): Input {
  return put(input, inputOf(random.pick(texts)), random)
}

function putPartOfOther(input: Input, { random, others }: Material): Input {
  const other = others[random.integer(0, others.length - 1)] ?? input
  const { from, to } = partOf(other, random)
  return put(input, other.subarray(from, to), random)
}

/** Between what is there, or over it. */
function put(input: Input, part: Input, random: Random): Input {
  const at = placeIn(input, random)
  const over = random.pick([0, part.length])
  return joined(input.subarray(0, at), part, input.subarray(at + over))
}

const placeIn = (input: Input, random: Random): number =>
  random.integer(0, Math.max(0, input.length - 1))

/** Short ones more often than long ones. */
function partOf(input: Input, random: Random) {
  const from = placeIn(input, random)
  const most = random.pick([4, 16, 64, input.length])
  return { from, to: Math.min(input.length, from + random.integer(1, Math.max(1, most))) }
}

function joined(...parts: readonly Input[]): Input {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

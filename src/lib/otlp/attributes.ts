import { coarseNetworkOf } from '../net/address-list.ts'

export type AttributeValue = string | number | boolean
export type Attributes = Readonly<Record<string, AttributeValue>>

export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** One of them, as OTLP's JSON has it. */
export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }

/** What one value may take at most: a collector refuses messages that are too large as a whole. */
const maxTextLength = 2_000

export const keyValuesOf = (attributes: Attributes): readonly KeyValue[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }))

/** A text that is an address of somebody is cut down to the network. */
export function anyValueOf(value: AttributeValue): AnyValue {
  if (typeof value === 'string')
    return { stringValue: (coarseNetworkOf(value) ?? value).slice(0, maxTextLength) }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const nanosecondsInMs = 1_000_000n

/** As a decimal number: it has more digits than a `number` holds. */
export const nanosecondsOf = (milliseconds: number): string =>
  String(BigInt(Math.round(milliseconds * 1_000)) * (nanosecondsInMs / 1_000n))

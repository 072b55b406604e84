import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { compileSchema, SchemaError } from './json-schema.ts'

const isValid = (schema: unknown, value: unknown) =>
  compileSchema(schema).faultsOf(value).length === 0

const cases: readonly (readonly [
  schema: unknown,
  valid: readonly unknown[],
  invalid: readonly unknown[],
])[] = [
  [true, [1, null], []],
  [false, [], [1, null]],
  [{ type: 'integer' }, [1, 1.0], [1.5, '1', null]],
  [{ type: ['string', 'null'] }, ['a', null], [1, []]],
  [{ enum: [1, { a: [1] }] }, [1, { a: [1] }], [2, { a: [2] }]],
  [{ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0.9, 3]],
  [{ maximum: 1, exclusiveMinimum: 0 }, [1, 0.1], [0, 1.1]],
  [{ multipleOf: 0.1 }, [0.3, 7, 'x'], [0.35]],
  [{ minLength: 2, maxLength: 3 }, ['ab', '🌿🌿🌿', 7], ['a', 'abcd']],
  [{ pattern: '^[a-z]+$' }, ['abc', 7], ['', 'A']],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, 2], 'x'], [[], [1, 1], [1, 2, 3]]],
  [
    { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    [['a', 1], []],
    [[1], ['a', 'b']],
  ],
  [{ contains: { const: 1 } }, [[2, 1], 'x'], [[], [2]]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }, 'x'], [{}, { a: 1, b: 2 }]],
  [
    { required: ['a'], dependentRequired: { b: ['c'] } },
    [{ a: 1 }, { a: 1, b: 1, c: 1 }, 'x'],
    [{}, { a: 1, b: 1 }],
  ],
  [
    {
      properties: { a: { type: 'number' } },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    },
    [{ a: 1, 'x-b': 'c' }, {}],
    [{ a: 'x' }, { 'x-b': 1 }, { c: 1 }],
  ],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2], [3]],
  [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1]],
  [{ not: { type: 'null' } }, [1], [null]],
  [
    JSON.parse('{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"null"}}'),
    ['a', null],
    ['', 1],
  ],
  [
    {
      $defs: {
        'a/b': {
          type: 'object',
          properties: { next: { $ref: '#/$defs/a~1b' } },
          additionalProperties: false,
        },
      },
      $ref: '#/$defs/a~1b',
    },
    [{}, { next: { next: {} } }],
    [{ next: { other: 1 } }],
  ],
  [{ format: 'date' }, ['2028-02-29', 7], ['2027-02-29', '2027-1-1', '']],
  [{ format: 'date-time' }, ['2027-01-01T00:00:00Z'], ['2027-01-01', '2027-01-01T25:00:00Z']],
  [{ format: 'time' }, ['10:00:00+01:00'], ['10:00']],
  [{ format: 'email' }, ['a@b.test'], ['a', 'a@b', '@b.test', 'a@b..test']],
  [{ format: 'uri' }, ['https://a.test/b', 'urn:isbn:1'], ['/a', 'a b']],
  [{ format: 'hostname' }, ['a-b.test'], ['-a.test', 'a..b']],
  [{ format: 'ipv4' }, ['192.0.2.1'], ['192.0.2', '1.1.1.256', '01.1.1.1']],
  [{ format: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000'], ['123']],
]
for (const [schema, valid, invalid] of cases)
  test(`${JSON.stringify(schema).slice(0, 100)} says what it says`, () => {
    for (const value of valid)
      expect({ value, isValid: isValid(schema, value) }).toEqual({ value, isValid: true })
    for (const value of invalid)
      expect({ value, isValid: isValid(schema, value) }).toEqual({ value, isValid: false })
  })

test('a fault says where it is and what would be right', () => {
  const schema = {
    properties: { size: { properties: { width: { minimum: 1 } } } },
    required: ['sku'],
  }

  expect(compileSchema(schema).faultsOf({ size: { width: 0 } })).toEqual([
    { place: '/size/width', why: 'must be at least 1' },
    { place: '/sku', why: 'is required' },
  ])
})

describe('no schema is', () => {
  const deep = (depth: number): unknown => (depth === 0 ? {} : { items: deep(depth - 1) })
  for (const schema of [
    1,
    null,
    [],
    'x',
    { tpye: 'string' },
    { type: 'text' },
    { properties: [] },
    { properties: { a: 1 } },
    { required: 'a' },
    { minLength: -1 },
    { minimum: '1' },
    { multipleOf: 0 },
    { anyOf: [] },
    { enum: 1 },
    { format: 'colour' },
    { pattern: '(?=a)' },
    { patternProperties: { '(': true } },
    { $ref: 'https://example.test/schema' },
    { $ref: '#/$defs/none' },
    { $ref: '#name' },
    { $ref: 'other.json' },
    { constructor: 1 },
    deep(40),
    { anyOf: Array.from({ length: 1_500 }, () => true) },
    { dependentRequired: { a: 'b' } },
  ])
    test(JSON.stringify(schema).slice(0, 60), () => {
      expect(() => compileSchema(schema)).toThrow(SchemaError)
    })
})

test('what would take for ever ends, and is not valid', () => {
  const levels = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => {
      const $ref = `#/$defs/l${index + 1}`
      return [`l${index}`, { anyOf: [{ $ref }, { $ref }, { $ref }] }]
    }),
  )
  const hostile: readonly (readonly [unknown, unknown])[] = [
    [{ $ref: '#' }, {}],
    [{ allOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
    [{ $defs: { ...levels, l30: false }, $ref: '#/$defs/l0' }, {}],
    [{ pattern: '^(a{1,25}){1,25}$' }, 'a'.repeat(8_000)],
    [{ uniqueItems: true }, Array.from({ length: 4_000 }, (_, index) => index)],
    [
      { items: { items: { enum: Array.from({ length: 900 }, (_, index) => [index]) } } },
      Array.from({ length: 90 }, () => Array.from({ length: 40 }, () => 'x')),
    ],
  ]
  for (const [schema, value] of hostile) {
    const start = performance.now()
    expect(isValid(schema, value)).toBe(false)
    expect(performance.now() - start).toBeLessThan(2_000)
  }
})

test('whatever it is given, it answers or refuses', () => {
  const schema = fc.letrec((tie) => ({
    schema: fc.oneof(
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom('string', 'object', 'array', 'text'),
          properties: fc.dictionary(fc.string({ maxLength: 2 }), tie('schema'), { maxKeys: 2 }),
          items: tie('schema'),
          not: tie('schema'),
          pattern: fc.string({ maxLength: 5 }),
          $ref: fc.constantFrom('#', '#/items', '#/%zz', '#/properties/a'),
        },
        { requiredKeys: [] },
      ),
    ),
  })).schema
  fc.assert(
    fc.property(schema, fc.jsonValue(), (given, value) => {
      try {
        compileSchema(given).faultsOf(value)
      } catch (error) {
        expect(error).toBeInstanceOf(SchemaError)
      }
    }),
  )
})

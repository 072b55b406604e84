import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { compilePattern } from './linear-pattern.ts'
import { PatternError } from './pattern-reader.ts'

const patterns = [
  '',
  'a',
  '^a',
  'a$',
  '^$',
  '^a|b$',
  'a*b',
  '(ab)+c',
  '^(?:ab|c){2,3}$',
  'a{2}',
  'a{1,}b',
  '[a-c]x',
  '[^a-c]',
  '^[\\w.-]+@[\\w-]+$',
  '\\d{2}-\\d{2}',
  'a.c',
  '^a??b*?$',
  '(a|b|)c',
  '[\\]\\-a]',
  '\\u0061b',
  '(^a)b',
  'a($|b)',
  '^(a*)*$',
  '^(a+)+$',
  '(a|a)*b',
  '[-a]',
  '\\s+\\S',
  '(?:)*a',
  '^.$',
] as const

test('whatever it matches, the expressions of the language match too', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '-', '.', '@', ' ', '1', 'x', '\n', '🌿'),
  })
  fc.assert(
    fc.property(fc.constantFrom(...patterns), text, (source, value) => {
      expect(compilePattern(source).test(value)).toBe(new RegExp(source, 'u').test(value))
    }),
    { numRuns: 3_000 },
  )
})

test('what others hang on takes no time', () => {
  for (const source of [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    'a*a*a*a*a*b',
  ]) {
    const pattern = compilePattern(source)
    const start = performance.now()
    pattern.test('a'.repeat(5_000))
    // An engine that goes back would need years.
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(pattern.size).toBeLessThan(50)
  }
})

for (const source of [
  '(?=a)',
  '(?<!a)b',
  '(?<name>a)',
  '(a)\\1',
  '\\bword\\b',
  '\\p{L}',
  '(',
  ')',
  '[',
  '[b-a]',
  'a{2',
  'a{9999}',
  'a{5,2}',
  '*a',
  'a**',
  '((((a{1000}){1000}){1000}){1000})',
  '(((((){1000}){1000}){1000}){1000}){1000}',
  '('.repeat(200),
  'a'.repeat(600),
  '\\',
  '\\u12',
])
  test(`${source.slice(0, 40)} is refused`, () => {
    expect(() => compilePattern(source)).toThrow(PatternError)
  })

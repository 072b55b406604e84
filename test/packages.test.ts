import { expect, test } from 'bun:test'

interface Package {
  readonly engines?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = async (path: string) => await Bun.file(new URL(path, import.meta.url)).json()
const lock: Readonly<Record<string, Package>> = (await read('../package-lock.json')).packages

test('npm ci warns of no package whose version of Node is another: all but ours run in Bun', async () => {
  const wanting = Object.entries(lock).filter(([, { engines }]) => engines !== undefined)

  // Where one more is here: npx bun scripts/complete-lock.ts
  expect(wanting.map(([path]) => path)).toEqual([''])
  expect(lock['']?.engines).toEqual((await read('../package.json')).engines)
})

test('every platform has its packages in the lock', () => {
  for (const { optionalDependencies = {} } of Object.values(lock))
    for (const name of Object.keys(optionalDependencies))
      expect(Object.keys(lock)).toContain(`node_modules/${name}`)
})

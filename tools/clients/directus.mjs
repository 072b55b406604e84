// Stores a file with the storage driver of Directus, configured from the environment as Directus does it:
// `STORAGE_S3_FORCE_PATH_STYLE=true` is `{ forcePathStyle: true }`. Prints the key below the root.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

import { DriverS3 } from '@directus/storage-driver-s3'

const [, , file] = process.argv
const prefix = 'STORAGE_S3_'
const camelCase = (name) =>
  name.toLowerCase().replaceAll(/_(\w)/gu, (_, first) => first.toUpperCase())
const config = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [camelCase(name.slice(prefix.length)), value === 'true' || value]),
)
const driver = new DriverS3(config)

const key = `${randomUUID()}.png`
await driver.write(key, createReadStream(file), 'image/png')
assert.equal(await driver.exists(key), true)
assert.equal((await driver.stat(key)).size, (await stat(file)).size)
assert.ok((await buffer(await driver.read(key))).equals(await readFile(file)))
assert.equal(
  (await buffer(await driver.read(key, { range: { start: 1, end: 3 } }))).toString(),
  'PNG',
)
const [name] = key.split('.')
assert.deepEqual(await listed(name), [`/${key}`])
await driver.move(key, `moved/${key}`)
assert.equal(await driver.exists(key), false)
await driver.copy(`moved/${key}`, key)
await driver.delete(`moved/${key}`)
console.log(key)

async function listed(start) {
  const keys = []
  for await (const found of driver.list(start)) keys.push(found)
  return keys
}

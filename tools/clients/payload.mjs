// Stores a file with Payload and its adapter for S3, configured by the module that is named first. Prints the
// name that Payload gave it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { buildConfig, getPayload } from 'payload'

const [, , configured, file, directory] = process.argv
const { storage } = await import(pathToFileURL(configured).href)
const config = await buildConfig({
  secret: 'for a test alone',
  db: sqliteAdapter({ client: { url: `file:${join(directory, 'payload.db')}` } }),
  collections: [{ slug: 'media', upload: true, fields: [] }],
  plugins: [storage],
  telemetry: false,
})
const payload = await getPayload({ config, disableOnInit: true })
const create = () => payload.create({ collection: 'media', data: {}, filePath: file })
const gone = await create()
await payload.delete({ collection: 'media', id: gone.id })
const { filename, filesize } = await create()
assert.ok(filesize > 0)
console.log(`stored as ${filename}`)
process.exit(0)

/** Opens the database that its argument names, and ends. */
import { openPostgresDatabase } from './postgres-database.ts'

await using _database = await openPostgresDatabase({ url: process.argv.at(-1) ?? '' })

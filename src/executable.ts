// The whole service as one file (decisions/055). Its children are the same file, told by their first word
// which program of it they are; whoever gives it other words gives them to the command.
import { programFile } from './lib/files/program-files.ts'

const [, , program = ''] = process.argv
const isNamed = program.startsWith(programFile('src/'))
if (isNamed) process.argv.splice(1, 1)
if (isNamed && program !== programFile('src/cli/main.ts')) await import(program)
else await (await import('./cli/main.ts')).runHere()

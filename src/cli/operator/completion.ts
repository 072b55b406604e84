import { type Command, exitCodes, UsageError } from '../support/command.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './completion-scripts.ts'
import { namedAction, parseWords } from '../support/parse-words.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

/** Completion of all the commands there are, itself included. */
export const completionCommand = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'print completion for bash, zsh or fish',
  usage: `sedge completion bash   eval "$(sedge completion bash)" in ~/.bashrc
sedge completion zsh    eval "$(sedge completion zsh)" in ~/.zshrc, after compinit
sedge completion fish   sedge completion fish > ~/.config/fish/completions/sedge.fish

Prints what a shell needs to complete commands, their actions and options.

Exit codes: 0 printed, 2 wrong use.`,
  run(args, { out }) {
    const { positionals } = parseWords(args, {})
    if (positionals.length > 1) throw new UsageError('Name one shell')
    out.write(namedAction(positionals[0], scripts)(all()))
    return Promise.resolve(exitCodes.ok)
  },
})

/** What the service takes of one file. */
export const maxFileBytes = 26_214_400

/** What of a request says what is asked for. Its body and its end are no part of it. */
export type RequestHead = Pick<Request, 'url' | 'method' | 'headers'>

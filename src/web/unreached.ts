import { data } from 'react-router'

/**
 * The answer of a `clientAction` that did not reach the server. As a success it would have React Router read the page
 * anew, which fails as well without a connection, and takes the page away with what was typed.
 */
export const unreached = <Answer>(answer: Answer) => data(answer, { status: 503 })

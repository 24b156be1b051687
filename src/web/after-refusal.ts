import type { ShouldRevalidateFunction } from 'react-router'

/**
 * For `shouldRevalidate` of a route: what the server refused, it refuses because the page is older than what is there.
 * React Router itself loads nothing after a refusal, so that the same button would be refused for ever.
 */
export const afterRefusal: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  (actionStatus !== undefined && actionStatus >= 400 && actionStatus < 500) ||
  defaultShouldRevalidate

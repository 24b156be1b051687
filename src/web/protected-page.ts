const protectedPaths = [
  /^\/(?:dashboard|notifications|settings(?:\/.+)?|create-course|import-course|moderation)$/,
  /^\/(?:create-lessons|lesson)\/[^/]+$/,
  /^\/course\/[^/]+\/(?:dashboard|continue|apply|leave|delete|moderation|lesson\/[^/]+)$/,
]

/** Whether a page needs an account, as far as a browser knows; routes.ts decides. */
export const isProtectedPage = (pathname: string): boolean =>
  protectedPaths.some((path) => path.test(pathname))

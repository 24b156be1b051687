const protectedPaths = [
  /^\/(?:(?:billing|payments)(?:\/.+)?|upgrade(?:\/demo)?)$/,
  /^\/(?:dashboard|analytics|certificates|notifications|settings(?:\/.+)?|create-course|import-course|moderation|suspended|admin(?:\/.+)?)$/,
  /^\/support\/[^/]+$/,
  /^\/(?:create-lessons|lesson)\/[^/]+$/,
  /^\/course\/[^/]+\/(?:dashboard|continue|apply|leave|delete|branding|certificate|certificates(?:\/[^/]+\/revoke)?|coupons|moderation|suspension|lesson\/[^/]+)$/,
]

/** Whether a page needs an account, as far as a browser knows; routes.ts decides. */
export const isProtectedPage = (pathname: string): boolean =>
  protectedPaths.some((path) => path.test(pathname))

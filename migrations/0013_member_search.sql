-- Every two and every three neighbouring letters of a text, in lower case: an index of these finds what holds a part.
-- Not pg_trgm, which in a database whose locale is C drops every letter that is not ASCII, and begins at three.
CREATE FUNCTION text_pieces(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT coalesce(array_agg(DISTINCT substr(folded, place, size)), '{}')
    FROM (SELECT lower(value) AS folded) given, generate_series(2, 3) size,
         generate_series(1, length(folded) - size + 1) place
$$;--> statement-breakpoint
CREATE INDEX "users_name_pieces" ON "users" USING gin (text_pieces("name" || ' ' || "email"));

ALTER TABLE "comments" ALTER COLUMN "search" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "posts" ALTER COLUMN "search" DROP EXPRESSION;--> statement-breakpoint
-- What the parser of words would take for letters of the word beside them: quotes and dashes are left out, other signs
-- and pictures are words of their own. Of ASCII it knows better: addresses stay whole.
CREATE FUNCTION community_text(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(
           translate(content, E'“”„‘’«»…–—。，、！？¡¿؟،؛।·•\u200b\u200d\ufe0f', repeat(' ', 26)) COLLATE "pg_c_utf8",
           '(?![!-~])([[:punct:]])', ' \1 ', 'g')
$$;--> statement-breakpoint
-- The words and, as one more, the course: both are met in one index.
CREATE FUNCTION community_words(content text, course uuid) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, community_text(content)) || array_to_tsvector(ARRAY[course::text])
$$;--> statement-breakpoint
CREATE FUNCTION keep_community_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := community_words(NEW.content, NEW.course_id);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER posts_words BEFORE INSERT OR UPDATE OF content, course_id ON "posts" FOR EACH ROW EXECUTE FUNCTION keep_community_words();--> statement-breakpoint
CREATE TRIGGER comments_words BEFORE INSERT OR UPDATE OF content, course_id ON "comments" FOR EACH ROW EXECUTE FUNCTION keep_community_words();

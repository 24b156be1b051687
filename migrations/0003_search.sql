CREATE TABLE "course_search_documents" (
	"course_id" uuid PRIMARY KEY NOT NULL,
	"category" text NOT NULL,
	"price_class" smallint NOT NULL,
	"popularity" smallint NOT NULL,
	"title" text collate "C" NOT NULL,
	"body" text NOT NULL,
	"title_words" "tsvector" NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_word_parts" (
	"position" smallint NOT NULL,
	"part" text collate "C" NOT NULL,
	"word" text collate "C" NOT NULL,
	CONSTRAINT "search_word_parts_position_part_word_pk" PRIMARY KEY("position","part","word")
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text collate "C" PRIMARY KEY NOT NULL,
	"courses_count" integer DEFAULT 1 NOT NULL,
	"titles_count" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trending_courses" (
	"course_id" uuid PRIMARY KEY NOT NULL,
	"category" text NOT NULL,
	"price_class" smallint NOT NULL,
	"score" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "course_search_documents" ADD CONSTRAINT "course_search_documents_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_word_parts" ADD CONSTRAINT "search_word_parts_word_search_words_word_fk" FOREIGN KEY ("word") REFERENCES "public"."search_words"("word") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trending_courses" ADD CONSTRAINT "trending_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_search_documents_popular" ON "course_search_documents" USING btree ("popularity" DESC NULLS LAST,"course_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "course_search_documents_title" ON "course_search_documents" USING btree ("title");--> statement-breakpoint
CREATE INDEX "course_search_documents_title_words" ON "course_search_documents" USING gin ("title_words");--> statement-breakpoint
CREATE INDEX "course_search_documents_words" ON "course_search_documents" USING gin ("words");--> statement-breakpoint
CREATE INDEX "search_word_parts_word" ON "search_word_parts" USING btree ("word");--> statement-breakpoint
CREATE INDEX "trending_courses_score" ON "trending_courses" USING btree ("price_class","score" DESC NULLS LAST,"course_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "trending_courses_category_score" ON "trending_courses" USING btree ("category","price_class","score" DESC NULLS LAST,"course_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "courses_price_class_newest" ON "courses" USING btree ("status",least("price_amount", 1),"published_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "courses_category_price_class_newest" ON "courses" USING btree ("status","category",least("price_amount", 1),"published_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "courses_popular" ON "courses" USING btree ("status",least("price_amount", 1),"students_count" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "courses_category_popular" ON "courses" USING btree ("status","category",least("price_amount", 1),"students_count" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "courses_price" ON "courses" USING btree ("status","price_amount","published_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "courses_category_price" ON "courses" USING btree ("status","category","price_amount","published_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
-- Hand-written from here on: how courses get into the tables above, and how words are compared.
CREATE EXTENSION IF NOT EXISTS unaccent;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;--> statement-breakpoint
-- Lower case, without accents, one space between words: what search compares. The collation is named, so
-- that every database folds alike.
CREATE FUNCTION search_fold(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    lower(unaccent(lower(normalize(value, NFKC) COLLATE "pg_c_utf8")) COLLATE "pg_c_utf8"), '\s+', ' ', 'g'))
$$;--> statement-breakpoint
-- The words of a folded text in their order, repeated ones too. Scripts without spaces give one word for
-- each sign. Of a very long word the beginning counts.
CREATE FUNCTION search_tokens(folded text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(left(word, 40) ORDER BY place) FILTER (WHERE word <> ''), '{}')
    FROM regexp_split_to_table(
           regexp_replace(folded, '([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])', ' \1 ', 'g') COLLATE "pg_c_utf8",
           '[^[:alnum:]]+') WITH ORDINALITY AS split(word, place)
$$;--> statement-breakpoint
CREATE FUNCTION search_popularity(students integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT floor(2 * ln(students + 1) / ln(2.0::float8) + 1e-9)::smallint
$$;--> statement-breakpoint
-- By chance, the likelier first the more students: the greatest of u^(1/students) is a draw weighted by
-- students (Efraimidis and Spirakis). The same all day long.
CREATE FUNCTION trending_score(course uuid, students integer, day date) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ln(((hashtextextended(course::text, day - date '2000-01-01') >> 11) & ((1::bigint << 52) - 1)) / 2.0::float8 ^ 52
            + 2.0::float8 ^ -53) / (students + 1)
$$;--> statement-breakpoint
CREATE FUNCTION keep_search_words(given text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Against the nightly job, which takes words away (count-words.ts): it waits for us, or we for it.
  LOCK TABLE search_words IN ROW SHARE MODE;
  WITH fresh AS (
    INSERT INTO search_words (word)
    SELECT f.word COLLATE "C" FROM unnest(given) AS f(word)
     WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.word = f.word COLLATE "C")
     -- Always in this order, so that two who save at once cannot wait for each other.
     ORDER BY 1
    ON CONFLICT DO NOTHING
    RETURNING word)
  INSERT INTO search_word_parts (position, part, word)
  SELECT at, substr(word, at + 1), word FROM fresh, generate_series(0, length(word) - 1) AS at;
END $$;--> statement-breakpoint
-- A published course, as search and the day's trends know it.
CREATE FUNCTION index_course(c courses, today date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  folded text := search_fold(c.title);
  whole text := left(folded || E'\n' || search_fold(c.short_description) || E'\n' || search_fold(c.description_text), 100000);
  in_all text[] := ARRAY(SELECT DISTINCT unnest(search_tokens(whole)));
BEGIN
  INSERT INTO course_search_documents (course_id, category, price_class, popularity, title, body, title_words, words)
  VALUES (c.id, c.category, least(c.price_amount, 1), search_popularity(c.students_count), left(folded, 400), whole,
          array_to_tsvector(ARRAY(SELECT DISTINCT unnest(search_tokens(folded)))), array_to_tsvector(in_all))
  ON CONFLICT (course_id) DO UPDATE
     SET category = excluded.category, price_class = excluded.price_class, popularity = excluded.popularity,
         title = excluded.title, body = excluded.body, title_words = excluded.title_words, words = excluded.words;
  -- The score of a course that has one stays: what is being paged through keeps its order until the next day.
  INSERT INTO trending_courses (course_id, category, price_class, score)
  VALUES (c.id, c.category, least(c.price_amount, 1), trending_score(c.id, c.students_count, today))
  ON CONFLICT (course_id) DO UPDATE SET category = excluded.category, price_class = excluded.price_class;
  PERFORM keep_search_words(in_all);
END $$;--> statement-breakpoint
CREATE FUNCTION keep_search_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'published' THEN
    DELETE FROM course_search_documents WHERE course_id = NEW.id;
    DELETE FROM trending_courses WHERE course_id = NEW.id;
  ELSIF TG_OP = 'UPDATE' AND (OLD.status, OLD.title, OLD.short_description, OLD.description_text)
     IS NOT DISTINCT FROM (NEW.status, NEW.title, NEW.short_description, NEW.description_text) THEN
    UPDATE course_search_documents
       SET category = NEW.category, price_class = least(NEW.price_amount, 1),
           popularity = search_popularity(NEW.students_count)
     WHERE course_id = NEW.id;
    UPDATE trending_courses SET category = NEW.category, price_class = least(NEW.price_amount, 1)
     WHERE course_id = NEW.id
       AND (category, price_class) IS DISTINCT FROM (NEW.category, least(NEW.price_amount, 1));
  ELSE
    PERFORM index_course(NEW, (now() AT TIME ZONE 'UTC')::date);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER courses_search_new AFTER INSERT ON "courses" FOR EACH ROW
  WHEN (NEW.status = 'published') EXECUTE FUNCTION keep_search_document();--> statement-breakpoint
CREATE TRIGGER courses_search_changed AFTER UPDATE ON "courses" FOR EACH ROW
  WHEN ((OLD.status, OLD.title, OLD.short_description, OLD.description_text, OLD.category,
         least(OLD.price_amount, 1), search_popularity(OLD.students_count))
        IS DISTINCT FROM
        (NEW.status, NEW.title, NEW.short_description, NEW.description_text, NEW.category,
         least(NEW.price_amount, 1), search_popularity(NEW.students_count)))
  EXECUTE FUNCTION keep_search_document();--> statement-breakpoint
-- Words that are spelt almost like this one: one letter more, less, other, or two neighbours swapped; in
-- words of eight letters and more also two letters more, less or other, where one is not enough.
-- An unchanged piece is looked up: of two halves one survives one mistake, of three thirds one survives two.
CREATE FUNCTION similar_words(typed text) RETURNS TABLE (word text, distance integer, courses integer)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  n integer := length(typed);
  half integer := n / 2;
  a integer := n / 3;
  b integer := n - (n + 1) / 3;
  piece text;
BEGIN
  IF n < 4 OR n > 40 THEN RETURN; END IF;
  RETURN QUERY
    WITH candidates AS (
      SELECT w.word FROM search_words w
       WHERE w.word = ANY (ARRAY(SELECT (left(typed, i - 1) || substr(typed, i + 1, 1) || substr(typed, i, 1) || substr(typed, i + 2)) COLLATE "C"
                                   FROM generate_series(1, n - 1) i))
      UNION
      SELECT p.word FROM search_word_parts p
       WHERE p.position = 0 AND p.part >= left(typed, half) COLLATE "C" AND p.part < (left(typed, half) || chr(1114111)) COLLATE "C"
         AND length(p.word) BETWEEN n - 1 AND n + 1
         AND levenshtein_less_equal(p.word, typed, 1) <= 1
      UNION
      SELECT p.word FROM search_word_parts p
       WHERE p.position BETWEEN half - 1 AND half + 1 AND p.part = substr(typed, half + 1) COLLATE "C"
         AND levenshtein_less_equal(p.word, typed, 1) <= 1)
    SELECT w.word::text, 1, w.courses_count FROM candidates JOIN search_words w USING (word)
     WHERE w.word <> typed COLLATE "C" ORDER BY w.courses_count DESC, w.word LIMIT 12;
  IF FOUND OR n < 8 THEN RETURN; END IF;
  piece := substr(typed, a + 1, b - a);
  RETURN QUERY
    WITH candidates AS (
      SELECT p.word FROM search_word_parts p
       WHERE p.position = 0 AND p.part >= left(typed, a) COLLATE "C" AND p.part < (left(typed, a) || chr(1114111)) COLLATE "C"
         AND length(p.word) BETWEEN n - 2 AND n + 2
         AND levenshtein_less_equal(p.word, typed, 2) <= 2
      UNION
      SELECT p.word FROM generate_series(greatest(a - 2, 0), a + 2) AS at, search_word_parts p
       WHERE p.position = at AND p.part >= piece COLLATE "C" AND p.part < (piece || chr(1114111)) COLLATE "C"
         AND length(p.word) BETWEEN n - 2 AND n + 2
         AND levenshtein_less_equal(p.word, typed, 2) <= 2
      UNION
      SELECT p.word FROM generate_series(b - 2, b + 2) AS at, search_word_parts p
       WHERE p.position = at AND p.part = substr(typed, b + 1) COLLATE "C"
         AND levenshtein_less_equal(p.word, typed, 2) <= 2)
    SELECT w.word::text, 2, w.courses_count FROM candidates JOIN search_words w USING (word)
     ORDER BY w.courses_count DESC, w.word LIMIT 12;
END $$;--> statement-breakpoint
-- What has been published before this migration.
SELECT index_course(c, (now() AT TIME ZONE 'UTC')::date) FROM "courses" c WHERE c.status = 'published';

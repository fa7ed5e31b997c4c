-- New words waited in these indexes' lists until a vacuum, and each search for what sounds alike read all of them: 30 ms
-- instead of 1 after an import, and for ever in the embedded database, where nothing vacuums by itself. Words come seldom,
-- and searches often.
alter index search_words_alike set (fastupdate = off);
alter index places_alike set (fastupdate = off);
select gin_clean_pending_list('search_words_alike'), gin_clean_pending_list('places_alike');

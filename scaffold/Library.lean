import {{library}}.Basic

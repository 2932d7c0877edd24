"""Django's admin, read-only: every row as it is stored. Organisers act at the desk (`tournaments.web.pages.desk`)."""

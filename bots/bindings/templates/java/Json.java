import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What is written as JSON by what it says of itself. */
interface Plain {
    /** A map, for most. */
    Object plain();
}

/** JSON, read and written with the JDK's own classes: maps, lists, texts, Long, Double, Boolean and null. */
final class Json {
    /** Lists and objects may be this deep in each other. */
    static final int DEEPEST = 200;

    // As JSON spells numbers: no leading zero or plus, digits on both sides of the point.
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Why a text, or a value in it, is not what it should be. */
    static final class Unreadable extends RuntimeException {
        Unreadable(String reason) {
            super(reason);
        }
    }

    /** Reads a value out of what JSON holds. */
    interface Reader<T> {
        T read(Object it);
    }

    static Object parse(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        reader.blank();
        if (reader.at < text.length()) {
            throw reader.bad("end");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object it) {
        if (it instanceof Map) {
            return (Map<String, Object>) it;
        }
        throw other("an object", it);
    }

    /** The field of an object. */
    static <T> T field(Map<String, Object> from, String name, Reader<T> reader) {
        try {
            return reader.read(from.get(name));
        } catch (Unreadable reason) {
            throw new Unreadable(name + ": " + reason.getMessage());
        }
    }

    static Long whole(Object it) {
        if (it instanceof Long found) {
            return found;
        }
        throw other("a whole number", it);
    }

    static Double number(Object it) {
        if (it instanceof Number found) {
            return found.doubleValue();
        }
        throw other("a number", it);
    }

    static Boolean truth(Object it) {
        if (it instanceof Boolean found) {
            return found;
        }
        throw other("true or false", it);
    }

    static String text(Object it) {
        if (it instanceof String found) {
            return found;
        }
        throw other("a text", it);
    }

    static Object any(Object it) {
        return it;
    }

    static <T> Reader<T> optional(Reader<T> reader) {
        return it -> it == null ? null : reader.read(it);
    }

    static <T> Reader<List<T>> list(Reader<T> reader) {
        return it -> {
            if (!(it instanceof List<?> items)) {
                throw other("a list", it);
            }
            List<T> found = new ArrayList<>(items.size());
            items.forEach(item -> found.add(reader.read(item)));
            return found;
        };
    }

    static <T> Reader<Map<String, T>> map(Reader<T> reader) {
        return it -> {
            Map<String, T> found = new LinkedHashMap<>();
            object(it).forEach((key, value) -> found.put(key, reader.read(value)));
            return found;
        };
    }

    /** A map of names and values, one after the other. */
    static Map<String, Object> fields(Object... pairs) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int place = 0; place < pairs.length; place += 2) {
            made.put((String) pairs[place], pairs[place + 1]);
        }
        return made;
    }

    static Unreadable other(String wanted, Object it) {
        StringBuilder found = new StringBuilder();
        write(it, found);
        return new Unreadable("must be " + wanted + ", not " + found.substring(0, Math.min(60, found.length())));
    }

    static void write(Object it, StringBuilder out) {
        if (it instanceof Plain made) {
            write(made.plain(), out);
        } else if (it instanceof String text) {
            quote(text, out);
        } else if (it instanceof Map<?, ?> map) {
            out.append('{');
            String before = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                quote((String) entry.getKey(), out);
                out.append(':');
                write(entry.getValue(), out);
                before = ",";
            }
            out.append('}');
        } else if (it instanceof Iterable<?> items) {
            out.append('[');
            String before = "";
            for (Object item : items) {
                out.append(before);
                write(item, out);
                before = ",";
            }
            out.append(']');
        } else if (it instanceof Double number && !Double.isFinite(number)) {
            out.append("null"); // JSON has no NaN and nothing infinite
        } else {
            out.append(it);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int place = 0; place < text.length(); place++) {
            char sign = text.charAt(place);
            if (sign < ' ' || Character.isSurrogate(sign)) {
                out.append(String.format("\\u%04x", (int) sign));
            } else {
                out.append(sign == '"' || sign == '\\' ? "\\" : "").append(sign);
            }
        }
        out.append('"');
    }

    private Unreadable bad(String wanted) {
        return new Unreadable("the JSON has no " + wanted + " at character " + at);
    }

    /** The next character; NUL at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void blank() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
            at++;
        }
    }

    /** Whether this one is next, behind blanks; then it is taken. */
    private boolean takes(char sign) {
        blank();
        boolean here = peek() == sign;
        at += here ? 1 : 0;
        return here;
    }

    private Object value() {
        blank();
        switch (peek()) {
            case '"':
                return quoted();
            case '[':
                return within(true);
            case '{':
                return within(false);
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return digits();
        }
    }

    private Object within(boolean list) {
        at++;
        if (++depth > DEEPEST) {
            throw new Unreadable("the JSON is more than " + DEEPEST + " deep at character " + at);
        }
        Object value = list ? items() : entries();
        depth--;
        return value;
    }

    private List<Object> items() {
        List<Object> found = new ArrayList<>();
        if (takes(']')) {
            return found;
        }
        do {
            found.add(value());
        } while (takes(','));
        if (!takes(']')) {
            throw bad("comma");
        }
        return found;
    }

    private Map<String, Object> entries() {
        Map<String, Object> found = new LinkedHashMap<>();
        if (takes('}')) {
            return found;
        }
        do {
            blank();
            String key = quoted();
            if (!takes(':')) {
                throw bad("colon");
            }
            found.put(key, value());
        } while (takes(','));
        if (!takes('}')) {
            throw bad("comma");
        }
        return found;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw bad("value");
        }
        at += word.length();
        return value;
    }

    private Object digits() {
        int start = at;
        boolean whole = true;
        while ("0123456789+-.eE".indexOf(peek()) >= 0 && at < text.length()) {
            whole &= ".eE".indexOf(peek()) < 0;
            at++;
        }
        String found = text.substring(start, at);
        if (!NUMBER.matcher(found).matches()) {
            at = start;
            throw bad("value");
        }
        return whole && found.length() < 19 ? (Object) Long.valueOf(found) : (Object) Double.valueOf(found);
    }

    private String quoted() {
        if (peek() != '"') {
            throw bad("text");
        }
        at++;
        StringBuilder found = new StringBuilder();
        while (peek() != '"') {
            if (peek() < ' ') {
                throw bad("end of the text");
            }
            found.append(peek() == '\\' ? escape() : text.charAt(at++));
        }
        at++;
        return found.toString();
    }

    private char escape() {
        at += 2;
        char sign = at <= text.length() ? text.charAt(at - 1) : '\0';
        int place = "\"\\/bfnrt".indexOf(sign);
        if (sign == 'u') {
            return hexadecimal();
        }
        if (place < 0) {
            throw bad("escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(place);
    }

    private char hexadecimal() {
        String digits = text.substring(Math.min(at, text.length()), Math.min(at + 4, text.length()));
        if (!digits.matches("[0-9a-fA-F]{4}")) {
            throw bad("four hexadecimal digits");
        }
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }
}

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/** The CPU time of a bot, in milliseconds. */
record Clock(long answerMs, long bankMs, long startMs, long incrementMs) {
    static Clock read(Object it) {
        Map<String, Object> from = Json.object(it);
        return new Clock(
            Json.field(from, "answer_ms", Json::whole),
            Json.field(from, "bank_ms", Json::whole),
            Json.field(from, "start_ms", Json::whole),
            Json.field(from, "increment_ms", Json::whole));
    }
}

/** The greeting. */
record Hello(
    String game,
    long rules,
    long seat,
    long seats,
    Map<String, Object> options,
    Clock clock,
    Map<String, Long> limits) {
    static Hello read(Object it) {
        Map<String, Object> from = Json.object(it);
        return new Hello(
            Json.field(from, "game", Json::text),
            Json.field(from, "rules", Json::whole),
            Json.field(from, "seat", Json::whole),
            Json.field(from, "seats", Json::whole),
            Json.field(from, "options", Json::object),
            Json.field(from, "clock", Clock::read),
            Json.field(from, "limits", Json.map(Json::whole)));
    }
}

/** How the match ended, by seat. */
record End(List<Long> places, List<Long> scores) {
    static End read(Object it) {
        Map<String, Object> from = Json.object(it);
        return new End(
            Json.field(from, "places", Json.list(Json::whole)),
            Json.field(from, "scores", Json.list(Json::whole)));
    }
}

/** Plays one match over stdin and stdout: a line of JSON for each message. */
final class Boardroom {
    private final OutputStream out;
    private final Function<Turn, Answer> choose;
    private Hello hello;

    private Boardroom(OutputStream out, Function<Turn, Answer> choose) {
        this.out = out;
        this.choose = choose;
    }

    /**
     * Plays until the end, which it gives; null if there was none. `choose` gives a legal answer to `turn.ask()`. What
     * you print yourself goes to stderr.
     */
    static End play(Function<Turn, Answer> choose) throws IOException {
        System.setOut(System.err);
        Boardroom table = new Boardroom(new FileOutputStream(FileDescriptor.out), choose);
        try {
            return table.listen(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        } catch (Json.Unreadable reason) {
            System.err.println(reason.getMessage());
            System.exit(1);
            return null;
        }
    }

    private End listen(BufferedReader lines) throws IOException {
        for (String line = next(lines); line != null; line = next(lines)) {
            Map<String, Object> message = Json.object(Json.parse(line));
            if ("hello".equals(message.get("t"))) {
                hello = Hello.read(message);
                say(Json.fields("t", "ready"));
            } else if ("question".equals(message.get("t"))) {
                say(Json.fields("action", choose.apply(Turn.read(hello, message))));
            } else {
                return End.read(message);
            }
        }
        return null;
    }

    /** The next line, which a line feed alone ends; null at the end. */
    private static String next(BufferedReader from) throws IOException {
        StringBuilder line = new StringBuilder();
        int sign = from.read();
        while (sign >= 0 && sign != '\n') {
            line.append((char) sign);
            sign = from.read();
        }
        return sign < 0 && line.isEmpty() ? null : line.toString();
    }

    private void say(Object message) throws IOException {
        StringBuilder line = new StringBuilder();
        Json.write(message, line);
        out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** A number that `boardroom tune` may set; `otherwise` is what it is when nobody does. */
    static double parameter(String name, double otherwise) {
        try {
            return Double.parseDouble(System.getenv().getOrDefault("BOARDROOM_PARAM_" + name, ""));
        } catch (NumberFormatException reason) {
            return otherwise;
        }
    }

    /** A list from 0 up, of so many. */
    static List<Long> numbers(int many) {
        return LongStream.range(0, many).boxed().toList();
    }
}

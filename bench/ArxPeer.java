import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.EnhancedBLikeness;
import org.deidentifier.arx.criteria.EntropyLDiversity;
import org.deidentifier.arx.criteria.EqualDistanceTCloseness;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.criteria.PrivacyCriterion;
import org.deidentifier.arx.io.CSVHierarchyInput;
import org.deidentifier.arx.metric.Metric;

/** What ARX makes of a table: prints what is lost by covey's definition (dropped rows count 1), and the seconds of its search.
 *
 * ArxPeer DATA SENSITIVE SUPPRESSION global|local NAME=HIERARCHY,... MODEL:KEY=NUMBER... with the models of covey's command line; DATA has commas, hierarchies have semicolons. */
public class ArxPeer {
    static String sensitive;

    static PrivacyCriterion model(String text) {
        String name = text.substring(0, text.indexOf(':'));
        double number = Double.parseDouble(text.substring(text.indexOf('=') + 1));

        switch (name) {
        case "k-anonymity":
            return new KAnonymity((int) number);
        case "distinct-l-diversity":
            return new DistinctLDiversity(sensitive, (int) number);
        case "entropy-l-diversity":
            return new EntropyLDiversity(sensitive, number);
        case "t-closeness":
            return new EqualDistanceTCloseness(sensitive, number);
        case "enhanced-beta-likeness":
            return new EnhancedBLikeness(sensitive, number);
        default:
            throw new IllegalArgumentException(text);
        }
    }

    /** The loss of each label: 0 for one leaf, else the share of the leaves that have it on one of their levels. */
    static Map<String, Double> losses(String[][] lines) {
        Map<String, Integer> leaves = new HashMap<>();
        Map<String, Double> losses = new HashMap<>();

        for (String[] line : lines)
            for (String label : new HashSet<>(java.util.Arrays.asList(line)))
                leaves.merge(label, 1, Integer::sum);
        leaves.forEach((label, n) -> losses.put(label, n == 1 ? 0.0 : (double) n / lines.length));
        return losses;
    }

    public static void main(String[] args) throws Exception {
        String[] pairs = args[4].split(",");
        Map<String, Map<String, Double>> losses = new HashMap<>();
        Data data = Data.create(new File(args[0]), StandardCharsets.UTF_8, ',');
        ARXConfiguration config = ARXConfiguration.create();
        boolean isLocal = args[3].equals("local");

        sensitive = args[1];
        for (int c = 0; c < data.getHandle().getNumColumns(); c++)
            data.getDefinition().setAttributeType(data.getHandle().getAttributeName(c), AttributeType.INSENSITIVE_ATTRIBUTE);
        for (String pair : pairs) {
            String name = pair.substring(0, pair.indexOf('='));
            String[][] lines = new CSVHierarchyInput(new File(pair.substring(pair.indexOf('=') + 1)), StandardCharsets.UTF_8, ';').getHierarchy();

            data.getDefinition().setAttributeType(name, AttributeType.Hierarchy.create(lines));
            losses.put(name, losses(lines));
        }
        for (int i = 5; i < args.length; i++) {
            PrivacyCriterion criterion = model(args[i]);

            if (!(criterion instanceof KAnonymity))
                data.getDefinition().setAttributeType(sensitive, AttributeType.SENSITIVE_ATTRIBUTE);
            config.addPrivacyModel(criterion);
        }
        config.setSuppressionLimit(isLocal ? 1.0 : Double.parseDouble(args[2]));
        config.setQualityModel(Metric.createLossMetric(isLocal ? 0.0 : 0.5));

        long begin = System.nanoTime();
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        DataHandle output = result.getOutput(false);
        if (output == null) {
            System.out.println("no release");
            return;
        }
        if (isLocal)
            result.optimizeIterativeFast(output, 0.01);
        double seconds = (System.nanoTime() - begin) * 1e-9, lost = 0;

        int[] columns = new int[pairs.length];
        for (int a = 0; a < pairs.length; a++)
            columns[a] = output.getColumnIndexOf(pairs[a].substring(0, pairs[a].indexOf('=')));
        for (int row = 0; row < output.getNumRows(); row++)
            for (int column : columns)
                lost += output.isOutlier(row) ? 1 : losses.get(output.getAttributeName(column)).getOrDefault(output.getValue(row, column), 1.0);
        System.out.printf("%.5f %.3f%n", lost / output.getNumRows() / pairs.length, seconds);
    }
}
